import { type ChatPart, isOwnCall } from '@palimpsest/core/domain'
import type { ToolTitle } from '../messages/en-parts.ts'
import { plainOutput } from './plain-output.ts'

export type ToolPart = Extract<ChatPart, { toolCallId: string }>

/** A tool call with the index of its part, under which its duration is kept. */
export type ToolCallAt = { index: number; part: ToolPart }

export function toolName(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** The name of our tool that a call is of; empty for a call that the provider executed, which may have the name of one. */
export function ownToolName(part: ToolPart): string {
  return isOwnCall(part) ? toolName(part) : ''
}

/** The title that the tool gave, else what a known tool does, else the tool's name. */
export function toolTitle(part: ToolPart, titles: Readonly<Record<string, ToolTitle>>): string {
  const name = toolName(part)
  if (part.title !== undefined) return part.title
  if (!isOwnCall(part)) return name
  const mcp = mcpTool(part)
  if (mcp !== null) return mcp
  const title = Object.hasOwn(titles, name) ? titles[name] : undefined
  if (title === undefined) return name
  if (part.state !== 'output-available' || part.preliminary === true) return title.name
  return runsOn(part) ? (title.started ?? title.done) : title.done
}

/** Server and name of an MCP server's tool; null for any other. */
function mcpTool({ toolMetadata }: ToolPart): string | null {
  const mcp = isRecord(toolMetadata) ? toolMetadata['mcp'] : null
  if (!isRecord(mcp) || typeof mcp['server'] !== 'string' || typeof mcp['tool'] !== 'string') return null
  return `${mcp['server']}: ${mcp['tool']}`
}

/** State of a call, for its badge. `stopped` is a call that a finished message left open. */
export type ToolState = 'preparing' | 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'stopped'

/** `live` is true while the message of the call is still being written. */
export function toolState(part: ToolPart, live: boolean): ToolState {
  return closedState(part) ?? (live ? openState(part) : 'stopped')
}

/** The state of a call that has ended; null for one that has not. */
function closedState(part: ToolPart): ToolState | null {
  switch (part.state) {
    case 'output-available':
      return part.preliminary === true ? null : 'done'
    case 'output-error':
      return 'failed'
    case 'output-denied':
      return 'denied'
    default:
      return null
  }
}

function openState(part: ToolPart): ToolState {
  if (part.state === 'input-streaming') return 'preparing'
  const asks = part.state === 'approval-requested' || ownToolName(part) === 'question'
  return asks && part.state !== 'approval-responded' ? 'waiting' : 'running'
}

/** Arguments that name the target of a call, in order of preference. A search has its pattern and a path, which is `.` by default. */
const TARGET_KEYS = ['pattern', 'path', 'file', 'command', 'query', 'url', 'name', 'id', 'prompt']

/** The target of a call, in a line: a path, a command, a query, a question. Empty when its arguments have none of these keys. */
export function toolTarget(part: ToolPart): string {
  const { input } = part
  if (typeof input === 'string') return input
  if (!isRecord(input)) return ''
  for (const key of TARGET_KEYS) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
  }
  const { questions } = input
  const [first]: unknown[] = Array.isArray(questions) ? questions : []
  return isRecord(first) && typeof first['question'] === 'string' ? first['question'] : ''
}

/** The text of a tool's result: its `text` when it has one, which is what the model reads, else its JSON. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  if (isRecord(output) && typeof output['text'] === 'string') return output['text']
  return toJson(output)
}

/** The text of a result as it is shown: that of a command without terminal sequences, that of a provider's tool as JSON. */
export function shownOutput(part: ToolPart, output: unknown): string {
  const isText = isOwnCall(part) || typeof output === 'string'
  const text = isText ? outputText(output) : toJson(output)
  return ownToolName(part).startsWith('bash') ? plainOutput(text) : text
}

/** What a running call has said so far; null for any other. */
export function outputSoFar(part: ToolPart): string | null {
  return part.state === 'output-available' && part.preliminary === true
    ? shownOutput(part, part.output)
    : null
}

/** The exit code of a command that failed. */
export function failedExit(part: ToolPart): number | null {
  if (part.state !== 'output-available' || !isOwnCall(part) || !isRecord(part.output)) return null
  const { data } = part.output
  const code = isRecord(data) ? data['exitCode'] : null
  return typeof code === 'number' && code !== 0 ? code : null
}

/** Whether a call has ended and left a command that runs on in the background. */
export function runsOn(part: ToolPart): boolean {
  if (part.state !== 'output-available' || part.preliminary === true || !isRecord(part.output)) return false
  const { data } = part.output
  return ownToolName(part) === 'bash' && isRecord(data) && data['running'] === true
}

/** The session of the subagent that a call has started; null for any other. */
export function subagentOf(part: ToolPart): string | null {
  const output = part.state === 'output-available' && isRecord(part.output) ? part.output['data'] : null
  const id = part.toolMetadata?.['session_id'] ?? (isRecord(output) ? output['sessionId'] : null)
  return ownToolName(part) === 'task' && typeof id === 'string' ? id : null
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
