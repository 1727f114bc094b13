import type { ChatPart } from '../domain/message/message.ts'
import type { ProviderFamily } from './provider-family.ts'

export type CallPart = Extract<ChatPart, { toolCallId: string }>

/**
 * A call that the provider executed itself, as it goes back to the model that made it: with its result where that
 * can be sent, `pending` while the provider still works on it, else as a short text, or not at all.
 */
export function prepareHostedCall(part: CallPart, family: ProviderFamily, pending: boolean): ChatPart[] {
  switch (part.state) {
    case 'output-available':
      return part.preliminary !== true && takesResult(part, family) ? [part] : []
    case 'output-error':
      return failure(part, family)
    case 'input-available':
      return pending ? [part] : [interrupted(part)]
    case 'input-streaming':
      return [interrupted(part)]
    default:
      return []
  }
}

/** The name of the tool that a call is of. */
export function toolNameOf(part: CallPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** Calls that OpenAI executed without storing them and that its package can send back; it cannot send the others. */
const SENT_TO_OPENAI: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_preview',
  'programmatic_tool_calling',
])

function takesResult(part: CallPart, family: ProviderFamily): boolean {
  if (family === 'anthropic' || family === 'google') return isObject(part.input)
  if (family !== 'openai-responses' || !SENT_TO_OPENAI.has(toolNameOf(part))) return false
  return (
    toolNameOf(part) === 'programmatic_tool_calling' ||
    (isObject(part.output) && isObject(part.output['action']))
  )
}

/** Only Anthropic takes back a failure, and only the one that it reported itself, as JSON; ours is plain words. */
function failure(part: CallPart, family: ProviderFamily): ChatPart[] {
  const reported = typeof part.errorText === 'string' ? parseObject(part.errorText) : null
  if (reported === null) return [interrupted(part)]
  return family === 'anthropic' && isObject(part.input) ? [part] : []
}

function interrupted(part: CallPart): ChatPart {
  return { type: 'text', text: `[${toolNameOf(part)} was interrupted before it had a result.]` }
}

/** The object or array that a text is in JSON; null for every other text. */
export function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
