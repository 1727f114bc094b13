import { begin, block, end, json } from '@palimpsest/testing/anthropic-events.ts'
import { outlineOf, replyOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

type Event = Record<string, unknown>

const completion = (delta: Event, finish_reason: string | null): Event => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'own',
  choices: [{ index: 0, delta, finish_reason }],
})
const toolCall = {
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name: 'look', arguments: '{"at":1}' },
}
const chat = (reason: string | null) => [
  completion({ role: 'assistant', tool_calls: [toolCall] }, null),
  completion({}, reason),
]
const messages = (reason: string | null) => [
  begin(),
  ...block(0, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }, ...json('{"at":1}')),
  ...end(reason),
]
const google = (finishReason: string | null) => [
  {
    candidates: [
      {
        content: { parts: [{ functionCall: { name: 'look', args: { at: 1 } } }], role: 'model' },
        index: 0,
        ...(finishReason !== null && { finishReason }),
      },
    ],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 4, totalTokenCount: 12 },
  },
]
const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"at":1}' }
const responses = (reason: string | null) => [
  { type: 'response.created', response: { id: 'r', created_at: 0, model: 'own', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
  { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
  {
    type: 'response.incomplete',
    response: {
      id: 'r',
      output: [],
      incomplete_details: { reason },
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
]

const made: { folder: string; events: (reason: string | null) => Event[]; reasons: (string | null)[] }[] = [
  {
    folder: 'anthropic-messages',
    events: messages,
    reasons: ['end_turn', 'pause_turn2', 'compaction', 'eos', null],
  },
  {
    folder: 'openai-chat',
    events: chat,
    reasons: ['stop', 'function_call', 'tool_use', 'eos', 'end_turn'],
  },
  {
    folder: 'openai-compatible-chat',
    events: chat,
    reasons: ['stop', 'function_call', 'tool_use', 'eos', 'end_turn'],
  },
  {
    folder: 'google-messages',
    events: google,
    reasons: ['STOP', 'FINISH_REASON_UNSPECIFIED', 'OTHER', 'tool_use'],
  },
  { folder: 'openai-responses', events: responses, reasons: ['a_reason_of_next_year'] },
]

test.for(
  made.flatMap(({ folder, events, reasons }) => reasons.map((reason) => ({ folder, events, reason }))),
)(
  'RL-5 a whole call of $folder is made although its answer ends with $reason',
  async ({ folder, events, reason }) => {
    const { message } = await replyOf(folder, events(reason))
    expect(outlineOf(message)).toEqual(['look {"at":1} output-available'])
    expect(message.metadata?.finishReason).toBe('max-steps')
    expect(message.metadata).not.toHaveProperty('error')
  },
)

const refused: typeof made = [
  { folder: 'anthropic-messages', events: messages, reasons: ['max_tokens', 'refusal', 'model_length'] },
  {
    folder: 'openai-chat',
    events: chat,
    reasons: ['length', 'content_filter', 'error', 'max_tokens', 'network_error', 'sensitive', null],
  },
  {
    folder: 'openai-compatible-chat',
    events: chat,
    reasons: ['length', 'content_filter', 'error', 'model_length', 'abort', 'sensitive', null],
  },
  {
    folder: 'google-messages',
    events: google,
    reasons: ['MAX_TOKENS', 'SAFETY', 'MALFORMED_FUNCTION_CALL', null],
  },
  { folder: 'openai-responses', events: responses, reasons: ['max_output_tokens', 'content_filter'] },
]

test.for(
  refused.flatMap(({ folder, events, reasons }) => reasons.map((reason) => ({ folder, events, reason }))),
)('RL-5 no call of $folder is made when its answer ends with $reason', async ({ folder, events, reason }) => {
  const { message } = await replyOf(folder, events(reason))
  expect(outlineOf(message)).toEqual(['look {"at":1} output-error'])
  expect(message.metadata?.finishReason).toMatch(/^(length|content-filter|error)$/)
})
