import type { ChatPart } from '@palimpsest/core/domain'
import type { ToolTitle } from '../messages/en-parts.ts'

export type ToolPart = Extract<ChatPart, { toolCallId: string }>

export function toolName(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** The title that the tool gave, else what a known tool does, else the tool's name. */
export function toolTitle(part: ToolPart, titles: Readonly<Record<string, ToolTitle>>): string {
  const name = toolName(part)
  if (part.title !== undefined) return part.title
  const title = Object.hasOwn(titles, name) ? titles[name] : undefined
  if (title === undefined) return name
  return part.state === 'output-available' ? title.done : title.name
}

/** State of a call, for its badge. `stopped` is a call that a finished message left open. */
export type ToolState = 'preparing' | 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'stopped'

/** `live` is true while the message of the call is still being written. */
export function toolState(part: ToolPart, live: boolean): ToolState {
  switch (part.state) {
    case 'output-available':
      return 'done'
    case 'output-error':
      return 'failed'
    case 'output-denied':
      return 'denied'
    case 'approval-requested':
      return live ? 'waiting' : 'stopped'
    case 'input-streaming':
      return live ? 'preparing' : 'stopped'
    case 'input-available':
      if (live && toolName(part) === 'question') return 'waiting'
      return live ? 'running' : 'stopped'
    case 'approval-responded':
      return live ? 'running' : 'stopped'
  }
}

/** Arguments that name the target of a call, in order of preference. */
const TARGET_KEYS = ['path', 'file', 'command', 'pattern', 'query', 'url', 'name', 'id']

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

export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
