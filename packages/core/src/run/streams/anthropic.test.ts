import { begin, block, type Event, end, json, text } from '@palimpsest/testing/anthropic-events.ts'
import { outlineOf, replyOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

const call = (index: number, id: string, ...pieces: string[]) =>
  block(index, { type: 'tool_use', id, name: 'look', input: {} }, ...json(...pieces))
async function replyTo(...events: Event[]) {
  return (await replyOf('anthropic-messages', events)).message
}

test.for([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
  ['a_reason_of_next_year', 'other'],
] as const)('RL-5 a message of Anthropic that ends with %s ends as %s', async ([reason, finishReason]) => {
  const message = await replyTo(begin(), ...text(0, 'So ', 'far.'), ...end(reason))
  expect(outlineOf(message)).toEqual(['text: So far.'])
  expect(message.metadata).toMatchObject({ finishReason })
  expect(message.metadata).not.toHaveProperty('error')
})

test('RL-5 unknown events and pings leave a message of Anthropic whole', async () => {
  const message = await replyTo(
    { type: 'ping' },
    begin(),
    { type: 'ping' },
    ...text(0, 'Hel', 'lo'),
    { type: 'an_event_of_next_year', detail: { any: 1 } },
    ...end('end_turn'),
  )
  expect(outlineOf(message)).toEqual(['text: Hello'])
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 a delta and a block of unknown kinds leave the rest of a message of Anthropic', async () => {
  const message = await replyTo(
    begin(),
    ...block(0, { type: 'a_block_of_next_year', payload: 'x' }, { type: 'a_delta_of_next_year', y: 1 }),
    ...text(1, 'Still here.'),
    ...end('end_turn'),
  )
  expect(outlineOf(message)).toContain('text: Still here.')
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 the text with which a block of Anthropic begins is part of it, and of no other block', async () => {
  const message = await replyTo(
    begin(),
    ...block(0, { type: 'text', text: 'It ' }, { type: 'text_delta', text: 'begins.' }),
    ...block(1, { type: 'text', text: 'All at once.' }),
    ...text(2, 'By deltas.'),
    ...end('end_turn'),
  )
  expect(outlineOf(message)).toEqual(['text: It begins.', 'text: All at once.', 'text: By deltas.'])
})

test('RL-5 empty deltas add nothing to a message of Anthropic', async () => {
  const message = await replyTo(begin(), ...text(0, '', 'One', '', ' two', ''), ...end('end_turn'))
  expect(outlineOf(message)).toEqual(['text: One two'])
})

test('RL-5 a message of Anthropic without any content is an empty reply', async () => {
  const message = await replyTo(begin(), ...end('end_turn', { output_tokens: 0 }))
  expect(outlineOf(message)).toEqual([])
  expect(message.metadata?.finishReason).toBe('stop')
  expect(message.metadata?.usage).toMatchObject({ input: 10, output: 0 })
})

test('RL-5 parallel calls of Anthropic each keep their own arguments, whether or not they have any', async () => {
  const message = await replyTo(
    begin(),
    ...text(0, 'Two files.'),
    ...call(1, 'toolu_a', '', '{"path":', '"a.md"}'),
    ...call(2, 'toolu_b', '{"path":"b.md"}'),
    ...call(3, 'toolu_c'),
    ...end('tool_use'),
  )
  expect(outlineOf(message)).toEqual([
    'text: Two files.',
    'look {"path":"a.md"} output-available',
    'look {"path":"b.md"} output-available',
    'look {} output-available',
  ])
  expect(message.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 blocks of Anthropic that are open at once do not mix', async () => {
  const start = (index: number, content_block: Event) => ({
    type: 'content_block_start',
    index,
    content_block,
  })
  const delta = (index: number, partial_json: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  })
  const message = await replyTo(
    begin(),
    start(0, { type: 'tool_use', id: 'toolu_a', name: 'look', input: {} }),
    start(1, { type: 'tool_use', id: 'toolu_b', name: 'look', input: {} }),
    delta(0, '{"path":'),
    delta(1, '{"path":'),
    delta(1, '"b"}'),
    delta(0, '"a"}'),
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_stop', index: 0 },
    ...end('tool_use'),
  )
  expect(outlineOf(message).toSorted()).toEqual([
    'look {"path":"a"} output-available',
    'look {"path":"b"} output-available',
  ])
})

test('RL-5 a call of Anthropic that the output limit cut is an error, and nothing runs', async () => {
  const message = await replyTo(begin(), ...call(0, 'toolu_a', '{"path":"half'), ...end('max_tokens'))
  expect(outlineOf(message)).toEqual([expect.stringContaining('output-error')])
  expect(message.metadata?.finishReason).toBe('length')
})

test('RU-8 thoughts of Anthropic between two texts each keep their signature', async () => {
  const thought = (index: number, words: string, signature: string) =>
    block(
      index,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: words },
      { type: 'signature_delta', signature },
    )
  const message = await replyTo(
    begin(),
    ...thought(0, 'First.', 'sig/one=='),
    ...text(1, 'A'),
    ...thought(2, 'Second.', 'sig+two=='),
    ...text(3, 'B'),
    ...end('end_turn'),
  )
  expect(outlineOf(message)).toEqual(['reasoning: First.', 'text: A', 'reasoning: Second.', 'text: B'])
  const signatures = message.parts.flatMap((part) =>
    part.type === 'reasoning' ? [part.providerMetadata?.['anthropic']?.['signature']] : [],
  )
  expect(signatures).toEqual(['sig/one==', 'sig+two=='])
})

test('RU-8 a thought of Anthropic that is only a signature keeps it', async () => {
  const message = await replyTo(
    begin(),
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'signature_delta', signature: 's==' },
    ),
    ...text(1, 'Yes.'),
    ...end('end_turn'),
  )
  expect(JSON.stringify(message.parts)).toContain('"s=="')
  expect(outlineOf(message)).toEqual(['reasoning: ', 'text: Yes.'])
})

const counted: { name: string; start: Event; last: Event; counts: Event }[] = [
  {
    name: 'counts its input at the start alone',
    start: { input_tokens: 40, cache_read_input_tokens: 5, cache_creation_input_tokens: 7, output_tokens: 1 },
    last: { output_tokens: 9 },
    counts: { input: 40, output: 9, reasoning: 0, cacheRead: 5, cacheWrite: 7 },
  },
  {
    name: 'corrects its input at the end',
    start: { input_tokens: 40, output_tokens: 1 },
    last: {
      input_tokens: 30,
      cache_read_input_tokens: 6,
      cache_creation_input_tokens: 4,
      output_tokens: 9,
    },
    counts: { input: 30, output: 9, reasoning: 0, cacheRead: 6, cacheWrite: 4 },
  },
  {
    name: 'names what it thought',
    start: { input_tokens: 3, output_tokens: 1 },
    last: { output_tokens: 100, output_tokens_details: { thinking_tokens: 60 } },
    counts: { input: 3, output: 40, reasoning: 60, cacheRead: 0, cacheWrite: 0 },
  },
  {
    name: 'says null where it has nothing',
    start: {
      input_tokens: 3,
      cache_read_input_tokens: null,
      cache_creation_input_tokens: null,
      output_tokens: 1,
      server_tool_use: null,
    },
    last: { output_tokens: 2, cache_read_input_tokens: null, input_tokens: null },
    counts: { input: 3, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  },
  {
    name: 'has all of its prompt in the cache',
    start: { input_tokens: 0, cache_read_input_tokens: 900, output_tokens: 1 },
    last: { output_tokens: 2 },
    counts: { input: 0, output: 2, reasoning: 0, cacheRead: 900, cacheWrite: 0 },
  },
]

test.for(counted)(
  'US-2 a message of Anthropic that $name is counted right',
  async ({ start, last, counts }) => {
    const message = await replyTo(begin(start), ...text(0, 'Counted.'), ...end('end_turn', last))
    expect(message.metadata?.usage).toEqual({ ...counts, steps: 1 })
  },
)

test('US-2 several reports of a message of Anthropic are no sum: the last one holds', async () => {
  const message = await replyTo(
    begin(),
    ...text(0, 'Counted.'),
    { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: 5 } },
    ...end('end_turn', { output_tokens: 12 }),
  )
  expect(message.metadata?.usage).toMatchObject({ input: 10, output: 12 })
})

test.for([
  ['overloaded_error', 'PROVIDER_ERROR', 'overloaded'],
  ['rate_limit_error', 'RATE_LIMITED', 'limits how often'],
  ['api_error', 'PROVIDER_ERROR', '.'],
  ['authentication_error', 'PROVIDER_ERROR', 'API key'],
] as const)(
  'ST-4 %s in the middle of a message of Anthropic is classified as it would be before it',
  async ([type, code, words]) => {
    const message = await replyTo(begin(), ...text(0, 'Half '), {
      type: 'error',
      error: { type, message: 'Sorry' },
    })
    expect(outlineOf(message)).toEqual(['text: Half '])
    expect(message.metadata).toMatchObject({ finishReason: 'error', error: { code } })
    expect(message.metadata?.error?.message).toContain(words)
  },
)
