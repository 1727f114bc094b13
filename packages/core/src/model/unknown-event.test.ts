import { TypeValidationError } from 'ai'
import { expect, test } from 'vitest'
import { isUnknownEvent } from './unknown-event.ts'

const unreadable = (value: unknown) => new TypeValidationError({ value, cause: new Error('Invalid input') })

test.for([
  { type: 'ping_of_next_year' },
  { type: 'content_block_start', index: 0, content_block: { type: 'hologram' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta' } },
  { type: 'response.output_item.done', output_index: 0, item: { type: 'mcp_list_tools', tools: null } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'hologram_call' } },
  { type: 'response.output_text.annotation.added', annotation: { type: 'hologram_citation' } },
  { type: 'response.code_interpreter_call_code.delta', delta: 5 },
  { type: 'response.image_generation_call.partial_image', partial_image_b64: null },
  { id: 'chatcmpl-1', object: 'chat.completion.chunk' },
  {},
])('RL-5 an event such as %j is not known yet and is passed over', (event) => {
  expect(isUnknownEvent(unreadable(event))).toBe(true)
})

test.for([
  { type: 'message_start', message: 'garbage' },
  { type: 'message_delta', delta: { stop_reason: 5 } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
  { type: 'content_block_delta', index: 'x', delta: { type: 'text_delta', text: 'lost' } },
  { type: 'response.output_text.delta', delta: 5 },
  { type: 'response.refusal.delta', delta: 5 },
  { type: 'response.reasoning_summary_text.delta', delta: 5 },
  { type: 'response.function_call_arguments.delta', delta: 5 },
  { type: 'response.output_item.done', output_index: 0, item: { type: 'function_call', arguments: 5 } },
  { type: 'response.output_item.added', output_index: 0, item: 'garbage' },
  { type: 'response.completed', response: 'garbage' },
  { type: 'error', error: 'garbage' },
  { choices: 'garbage' },
  { candidates: 5 },
  'garbage',
  null,
])('RL-3 an event such as %j is known or garbage, and breaks the answer', (event) => {
  expect(isUnknownEvent(unreadable(event))).toBe(false)
})

test('RL-3 no other failure is taken for an unknown event', () => {
  for (const error of [new Error('boom'), { type: 'ping' }, null, 'x'])
    expect(isUnknownEvent(error)).toBe(false)
})
