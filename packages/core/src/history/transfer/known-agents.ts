import { jsonExcess } from '../../domain/json-bounds.ts'
import { IMPORT_LIMITS } from '../../domain/limits.ts'
import { DEFAULT_AGENT_ID } from '../../domain/session.ts'
import { isObject } from '../../domain/stored-keys.ts'
import type { ImportLine } from '../../ports/index.ts'

/** The lines of an import, in which the default agent takes the place of those that this host does not have. */
export async function* withKnownAgents(
  lines: AsyncIterable<ImportLine>,
  agents: ReadonlyMap<string, unknown>,
): AsyncGenerator<ImportLine> {
  for await (const line of lines) yield withKnownAgent(line, agents)
}

function withKnownAgent(line: ImportLine, agents: ReadonlyMap<string, unknown>): ImportLine {
  const { type, data } = line
  if (type === 'session')
    return isUnknown(data['agent'], agents) ? withData(line, { agent: DEFAULT_AGENT_ID }) : line
  const json = data['metadata_json']
  if (type !== 'message' || typeof json !== 'string' || !json.includes('"agent"')) return line
  const metadata = parse(json)
  if (metadata === null || !isUnknown(metadata['agent'], agents)) return line
  // What is checked next is refused there when it is no row.
  const { agent: _, ...rest } = metadata
  return withData(line, { metadata_json: JSON.stringify(rest) })
}

function isUnknown(agent: unknown, agents: ReadonlyMap<string, unknown>): boolean {
  return typeof agent === 'string' && agent !== '' && agent.length <= 200 && !agents.has(agent)
}

function withData(line: ImportLine, data: Record<string, unknown>): ImportLine {
  return { ...line, data: { ...line.data, ...data } }
}

function parse(json: string): Record<string, unknown> | null {
  if (jsonExcess(json, IMPORT_LIMITS) !== null) return null
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
