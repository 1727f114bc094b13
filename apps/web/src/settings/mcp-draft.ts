import type { McpDefinition } from '@palimpsest/core/domain'

/** What is typed into the form of an MCP server, or was pasted as an entry of a directory. */
export type McpDraft = {
  name: string
  kind: McpDefinition['kind']
  command: string
  /** One argument on each line. */
  args: string
  url: string
  /** Variables or headers: `NAME=value` or `Name: value` on each line. */
  values: string
}

export const EMPTY_MCP_DRAFT: McpDraft = {
  name: '',
  kind: 'stdio',
  command: '',
  args: '',
  url: '',
  values: '',
}

/** What the server gets. A line of variables or headers without a name is left out. */
export function toDefinition(draft: McpDraft): McpDefinition {
  const lines = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])
  if (draft.kind === 'http')
    return {
      kind: 'http',
      url: draft.url.trim(),
      headers: pairs(lines(draft.values), /^([^:=\s]+)\s*[:=]\s*(.*)$/),
    }
  return {
    kind: 'stdio',
    command: draft.command.trim(),
    args: lines(draft.args),
    env: pairs(lines(draft.values), /^([^=:\s]+)\s*[=:]\s*(.*)$/),
  }
}

function pairs(lines: readonly string[], pattern: RegExp): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = pattern.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The servers of an entry as directories and programs write it: `{"mcpServers": {…}}`, `{"servers": {…}}`, `{"mcp": {"servers": {…}}}`, a map of
 * names, or one server alone. Empty when the text has none.
 */
export function readEntries(text: string): McpDraft[] {
  const root = parse(text)
  if (!isRecord(root)) return []
  const alone = toDraft('', root)
  if (alone !== null) return [alone]
  const { mcpServers, servers, mcp } = root
  const named =
    [mcpServers, servers, isRecord(mcp) ? (mcp['servers'] ?? mcp) : undefined, root].find(isRecord) ?? {}
  return Object.entries(named).flatMap(([name, entry]) => toDraft(name, entry) ?? [])
}

/** Pages often show an entry without the braces around it, and with commas or comments that JSON does not have. */
function parse(text: string): unknown {
  const bare = text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(?=\s*[}\]])/g, '')
  for (const tried of [text, bare, `{${bare}}`, `{${bare.replace(/,\s*$/, '')}}`]) {
    try {
      return JSON.parse(tried)
    } catch {
      // The next form may be one.
    }
  }
  return null
}

function toDraft(name: string, entry: unknown): McpDraft | null {
  if (!isRecord(entry)) return null
  const { command, args, env, environment, url, serverUrl, httpUrl, headers } = entry
  const own = { ...EMPTY_MCP_DRAFT, name: plainName(name) }
  const address = [url, serverUrl, httpUrl].find((one) => typeof one === 'string')
  if (typeof address === 'string') return { ...own, kind: 'http', url: address, values: lines(headers, ': ') }
  const words = (Array.isArray(command) ? command : [command]).filter((word) => typeof word === 'string')
  const [program] = words
  if (program === undefined) return null
  const more = Array.isArray(args) ? args.map(String) : []
  return {
    ...own,
    command: program,
    args: [...words.slice(1), ...more].join('\n'),
    values: lines(env ?? environment, '='),
  }
}

function lines(values: unknown, sign: string): string {
  if (!isRecord(values)) return ''
  return Object.entries(values)
    .map(([name, value]) => `${name}${sign}${typeof value === 'object' ? '' : String(value)}`)
    .join('\n')
}

/** The name with what the server takes: letters, digits and hyphens. */
function plainName(name: string): string {
  const last = name.split('/').at(-1) ?? ''
  return last
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32)
}
