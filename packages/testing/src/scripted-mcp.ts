import type { Json } from '@palimpsest/core/domain'
import type {
  McpAsked,
  McpConnection,
  McpEntries,
  McpOutput,
  McpServerInfo,
  McpServers,
  McpToolInfo,
  McpToolList,
} from '@palimpsest/core/ports'

/** A connection whose test says what its server does. */
export type ScriptedMcpConnection = {
  readonly server: string
  readonly calls: readonly { tool: string; args: object; signal: AbortSignal }[]
  readonly isClosed: boolean
  /** Replaces the tools and reports that they have changed. */
  change(names: readonly string[]): void
  lose(reason: string): void
}

/** What one attempt to connect does: these tools, a failure with this reason, or nothing for ever. */
export type McpAttempt =
  | { tools: readonly (string | McpToolInfo)[]; refused?: McpToolList['refused'] }
  | { fails: string }
  | { hangs: true }

/** A tool without arguments. */
export function mcpTool(name: string, over: Partial<McpToolInfo> = {}): McpToolInfo {
  return { name, description: `Does ${name}`, inputSchema: { type: 'object' }, ...over }
}

const toTool = (tool: string | McpToolInfo) => (typeof tool === 'string' ? mcpTool(tool) : tool)

/**
 * MCP servers of a test. `script` says what each attempt of a server does, the last one counting for all further ones. A call
 * answers with its tool's name, or with what `answer` returns. Those in `enters` are there once a person enters them.
 */
export function createScriptedMcp(
  script: Readonly<Record<string, readonly McpAttempt[]>>,
  answer: (
    tool: string,
    args: object,
    signal: AbortSignal,
    resumed: Parameters<McpConnection['call']>[3],
  ) => Promise<Partial<McpOutput> | McpAsked> = (tool) => Promise.resolve({ text: `Did ${tool}` }),
  enters: readonly string[] = [],
): McpServers & {
  readonly connections: readonly ScriptedMcpConnection[]
  readonly attempts: number
  readonly abandoned: readonly Json[]
} {
  const connections: ScriptedMcpConnection[] = []
  const tried = new Map<string, number>()
  const abandoned: Json[] = []

  function open(
    server: string,
    first: readonly (string | McpToolInfo)[],
    refused: McpToolList['refused'] = [],
  ): McpConnection {
    let tools = first.map(toTool)
    let isClosed = false
    const listeners: (() => void)[] = []
    const calls: { tool: string; args: object; signal: AbortSignal }[] = []
    const { promise: closed, resolve: lose } = Promise.withResolvers<string>()
    connections.push({
      server,
      calls,
      get isClosed() {
        return isClosed
      },
      change(names) {
        tools = names.map(toTool)
        for (const listener of listeners) listener()
      },
      lose,
    })
    return {
      tools: () => Promise.resolve({ tools, leftOut: 0, refused }),
      async call({ name }, args, signal, resumed) {
        calls.push({ tool: name, args, signal })
        const answered = await answer(name, args, signal, resumed)
        if ('elicitation' in answered) return answered
        return {
          text: '',
          isError: false,
          files: [],
          whole: null,
          ...answered,
        }
      },
      abandon: (state) => void abandoned.push(state),
      onToolsChanged: (listener) => void listeners.push(listener),
      closed,
      close() {
        isClosed = true
        lose('The connection was closed.')
        return Promise.resolve()
      },
    }
  }

  const inFile = Object.keys(script).filter((name) => !enters.includes(name))
  let servers = inFile.map((name): McpServerInfo => ({ name, kind: 'stdio' }))
  const entries: McpEntries = {
    async test(name) {
      const [first] = script[name] ?? []
      if (first !== undefined && 'tools' in first)
        return { list: { tools: first.tools.map(toTool), leftOut: 0, refused: [] } }
      const fails = first !== undefined && 'fails' in first ? first.fails : 'There is no such server.'
      return { message: fails, signIn: fails.includes('sign-in') }
    },
    async put(name, definition) {
      const address = definition.kind === 'stdio' ? definition.command : definition.url
      const info = { name, kind: definition.kind, entered: { address } }
      servers = [...servers.filter((one) => one.name !== name), info]
    },
    async remove(name) {
      const rest = servers.filter((one) => one.name !== name || one.entered === undefined)
      const isGone = rest.length < servers.length
      servers = rest
      return isGone
    },
  }

  return {
    get servers() {
      return servers
    },
    entries,
    async connect(name) {
      const attempts = script[name] ?? []
      const count = tried.get(name) ?? 0
      tried.set(name, count + 1)
      const attempt = attempts[Math.min(count, attempts.length - 1)] ?? { fails: 'There is no such server.' }
      if ('fails' in attempt) throw new Error(attempt.fails)
      if ('hangs' in attempt) return await new Promise<never>(() => undefined)
      return open(name, attempt.tools, attempt.refused)
    },
    connections,
    abandoned,
    get attempts() {
      return [...tried.values()].reduce((sum, count) => sum + count, 0)
    },
  }
}
