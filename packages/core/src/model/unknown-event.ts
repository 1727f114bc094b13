import { TypeValidationError } from 'ai'

/** Event types of an answer of Anthropic; its documentation asks clients to ignore unknown ones. */
const EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
])
const CONTENT: ReadonlySet<unknown> = new Set([
  'text',
  'text_delta',
  'thinking',
  'thinking_delta',
  'signature_delta',
  'redacted_thinking',
  'tool_use',
  'input_json_delta',
])

/** What a response of OpenAI cannot be without: its words, its thoughts and the calls of our tools. */
const OF_RESPONSE =
  /^response\.(output_text\.(delta|done)|content_part|refusal|reasoning|function_call|custom_tool_call)/
const ITEM_OF_RESPONSE = /^response\.output_item\./
const ITEMS: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call'])

/** Where the other formats, and errors of all of them, say what they say. */
const FIELDS = ['choices', 'candidates', 'response', 'error']

/**
 * True when an error of a provider package only means that it does not support this kind of event yet, or cannot read what
 * a tool of the provider's own has done. Such an event is to be passed over; an event of the answer itself that can't be
 * read breaks it.
 */
export function isUnknownEvent(error: unknown): boolean {
  if (!TypeValidationError.isInstance(error) || !isObject(error.value)) return false
  const event = error.value
  if (FIELDS.some((field) => (event[field] ?? null) !== null)) return false
  const { type } = event
  if (typeof type !== 'string') return true
  if (ITEM_OF_RESPONSE.test(type)) {
    const item = event['item']
    return isObject(item) && typeof item['type'] === 'string' && !ITEMS.has(item['type'])
  }
  if (!EVENTS.has(type)) return !OF_RESPONSE.test(type)
  const content = event['content_block'] ?? event['delta']
  return isObject(content) && typeof content['type'] === 'string' && !CONTENT.has(content['type'])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
