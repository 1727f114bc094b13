import { outlineOf, replyOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

type Event = Record<string, unknown>

const head = { id: 'resp_1', object: 'response', created_at: 1_767_225_600, model: 'gpt-own' }
const created: Event = { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } }
const item = (output_index: number, of: Event, ...between: Event[]): Event[] => [
  { type: 'response.output_item.added', output_index, item: { ...of, status: 'in_progress' } },
  ...between.map((event) => ({ output_index, item_id: of['id'], ...event })),
  { type: 'response.output_item.done', output_index, item: { ...of, status: 'completed' } },
]
const said = (delta: string): Event => ({ type: 'response.output_text.delta', content_index: 0, delta })
const message = (index: number, ...words: string[]) =>
  item(
    index,
    { id: `msg_${index}`, type: 'message', role: 'assistant', content: [] },
    {
      type: 'response.content_part.added',
      content_index: 0,
      part: { type: 'output_text', annotations: [], text: '' },
    },
    ...words.map(said),
    { type: 'response.output_text.done', content_index: 0, text: words.join('') },
  )
const call = (index: number, args: string, ...pieces: string[]) =>
  item(
    index,
    { id: `fc_${index}`, type: 'function_call', call_id: `call_${index}`, name: 'look', arguments: args },
    ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { type: 'response.function_call_arguments.done', arguments: args },
  )
const counts = { input_tokens: 11, output_tokens: 5, total_tokens: 16 }
const completed = (usage: Event | null = counts): Event => ({
  type: 'response.completed',
  response: { ...head, status: 'completed', output: [], usage },
})
const incomplete = (reason: string | null): Event => ({
  type: 'response.incomplete',
  response: {
    ...head,
    status: 'incomplete',
    incomplete_details: reason && { reason },
    output: [],
    usage: counts,
  },
})

async function replyTo(...events: Event[]) {
  const numbered = events.map((event, sequence_number) => ({ ...event, sequence_number }))
  return (await replyOf('openai-responses', numbered)).message
}

test.for([
  [completed(), 'stop'],
  [incomplete('max_output_tokens'), 'length'],
  [incomplete('content_filter'), 'content-filter'],
  [incomplete('a_reason_of_next_year'), 'other'],
] as const)('RL-5 a response that ends with %j ends as %s', async ([last, finishReason]) => {
  const reply = await replyTo(created, ...message(0, 'So ', 'far.'), last)
  expect(outlineOf(reply)).toEqual(['text: So far.'])
  expect(reply.metadata).toMatchObject({ finishReason, usage: { input: 11, output: 5 } })
})

test('RL-5 unknown events and items leave a response whole', async () => {
  const reply = await replyTo(
    created,
    { type: 'response.queued', response: { ...head, status: 'queued' } },
    { type: 'response.in_progress', response: { ...head, status: 'in_progress' } },
    { type: 'keepalive' },
    { type: 'response.event_of_next_year.delta', output_index: 0, delta: 'x' },
    ...item(0, { id: 'x_1', type: 'item_of_next_year', payload: {} }),
    ...message(1, 'Still ', 'here.'),
    completed(),
  )
  expect(outlineOf(reply)).toEqual(['text: Still here.'])
  expect(reply.metadata?.finishReason).toBe('stop')
})

test('RL-5 empty deltas and several messages of one response are kept in order', async () => {
  const reply = await replyTo(
    created,
    ...message(0, '', 'One', ''),
    ...message(1, 'Two'),
    ...message(2),
    completed(),
  )
  expect(outlineOf(reply).filter((part) => part !== 'text: ')).toEqual(['text: One', 'text: Two'])
})

test('RL-5 a refusal in a response is what the reply says, and the run ends as filtered', async () => {
  const reply = await replyTo(
    created,
    ...item(
      0,
      { id: 'msg_0', type: 'message', role: 'assistant', content: [] },
      { type: 'response.content_part.added', content_index: 0, part: { type: 'refusal', refusal: '' } },
      { type: 'response.refusal.delta', content_index: 0, delta: 'I can’t ' },
      { type: 'response.refusal.delta', content_index: 0, delta: 'do that.' },
      { type: 'response.refusal.done', content_index: 0, refusal: 'I can’t do that.' },
    ),
    completed(),
  )
  expect(outlineOf(reply)).toEqual(['text: I can’t do that.'])
  expect(reply.metadata?.finishReason).toBe('content-filter')
})

test('RL-5 parallel calls of a response keep their own arguments, in pieces, at once, or none', async () => {
  const reply = await replyTo(
    created,
    ...call(0, '{"at":"a"}', '{"at":', '"a"}'),
    ...call(1, '{"at":"b"}'),
    ...call(2, '{}', '{}'),
    completed(),
  )
  expect(outlineOf(reply)).toEqual([
    'look {"at":"a"} output-available',
    'look {"at":"b"} output-available',
    'look {} output-available',
  ])
  expect(reply.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 items of a response that stream at once do not mix', async () => {
  const [a, b] = [call(0, '{"at":"a"}', '{"at":', '"a"}'), call(1, '{"at":"b"}', '{"at":', '"b"}')]
  const mixed = a.flatMap((event, index) => [event, b[index] ?? {}])
  const reply = await replyTo(created, ...mixed, completed())
  expect(outlineOf(reply).toSorted()).toEqual([
    'look {"at":"a"} output-available',
    'look {"at":"b"} output-available',
  ])
})

test('RL-5 words, calls and words again of a response stay in their order', async () => {
  const reply = await replyTo(
    created,
    ...message(0, 'Before.'),
    ...call(1, '{"at":1}', '{"at":1}'),
    ...message(2, 'After.'),
    completed(),
  )
  expect(outlineOf(reply)).toEqual(['text: Before.', 'look {"at":1} output-available', 'text: After.'])
})

test('RU-8 each part of a response’s reasoning is a thought, and its encrypted content is kept', async () => {
  const reasoning = { id: 'rs_0', type: 'reasoning', summary: [], encrypted_content: 'gAAA/end==' }
  const part = (summary_index: number, ...words: string[]): Event[] => [
    {
      type: 'response.reasoning_summary_part.added',
      summary_index,
      part: { type: 'summary_text', text: '' },
    },
    ...words.map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index, delta })),
    {
      type: 'response.reasoning_summary_part.done',
      summary_index,
      part: { type: 'summary_text', text: words.join('') },
    },
  ]
  const reply = await replyTo(
    created,
    ...item(0, reasoning, ...part(0, 'First ', 'this.'), ...part(1, 'Then that.')),
    ...message(1, 'Done.'),
    completed(),
  )
  expect(outlineOf(reply)).toEqual(['reasoning: First this.', 'reasoning: Then that.', 'text: Done.'])
  const encrypted = reply.parts.filter((each) => JSON.stringify(each).includes('"gAAA/end=="'))
  expect(encrypted.length).toBeGreaterThan(0)
})

test('RU-8 reasoning of a response without a summary keeps what it needs for the next call', async () => {
  const reply = await replyTo(
    created,
    ...item(0, { id: 'rs_0', type: 'reasoning', summary: [], encrypted_content: 'gAAA/only==' }),
    ...message(1, 'Done.'),
    completed(),
  )
  expect(outlineOf(reply)).toEqual(['reasoning: ', 'text: Done.'])
  expect(JSON.stringify(reply.parts)).toContain('gAAA/only==')
})

const reports: { name: string; usage: Event; counts: Event }[] = [
  { name: 'without details', usage: counts, counts: { input: 11, output: 5 } },
  {
    name: 'with a cached prompt',
    usage: { ...counts, input_tokens_details: { cached_tokens: 8 } },
    counts: { input: 3, output: 5, cacheRead: 8 },
  },
  {
    name: 'with reasoning',
    usage: { ...counts, output_tokens_details: { reasoning_tokens: 4 } },
    counts: { input: 11, output: 1, reasoning: 4 },
  },
  {
    name: 'with nothing but reasoning',
    usage: { ...counts, output_tokens_details: { reasoning_tokens: 5 } },
    counts: { input: 11, output: 0, reasoning: 5 },
  },
  {
    name: 'with null details',
    usage: { ...counts, input_tokens_details: null, output_tokens_details: null },
    counts: { input: 11, output: 5 },
  },
]

test.for(reports)('US-2 a response whose usage comes $name is counted right', async (report) => {
  const reply = await replyTo(created, ...message(0, 'Counted.'), completed(report.usage))
  const zero = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }
  expect(reply.metadata?.usage).toEqual({ ...zero, ...report.counts })
})

test.for([
  ['null beside it', { error: { code: 'rate_limit_exceeded', message: 'Slow down' } }, 'RATE_LIMITED'],
  ['a code that is null', { error: { code: null, message: 'Too hot' } }, 'PROVIDER_ERROR'],
] as const)('RL-3 a server that counts no events and fails with %s is quoted', async ([, failed, code]) => {
  const { message } = await replyOf('openai-responses', [
    created,
    { type: 'response.failed', response: { ...head, status: 'failed', usage: null, ...failed } },
  ])
  expect(message.metadata).toMatchObject({ finishReason: 'error', error: { code } })
  expect(message.metadata?.error?.message).not.toContain('unreadable')
})

test('US-2 a response without usage is marked unknown', async () => {
  const reply = await replyTo(created, ...message(0, 'Uncounted.'), completed(null))
  expect(reply.metadata?.usage).toMatchObject({ input: 0, output: 0, unknown: true })
})

test.for([
  ['rate_limit_exceeded', 'Rate limit reached. Please try again in 3s.', 'RATE_LIMITED'],
  ['server_error', 'The model had a problem', 'PROVIDER_ERROR'],
  ['context_length_exceeded', 'Your input exceeds the context window of this model.', 'CONTEXT_EXHAUSTED'],
] as const)(
  'RL-3 a response that failed with %s ends the run with its code',
  async ([code, words, appCode]) => {
    const failed = {
      type: 'response.failed',
      response: { ...head, status: 'failed', error: { code, message: words }, usage: null },
    }
    const reply = await replyTo(created, ...message(0, 'Half '), failed)
    expect(outlineOf(reply)).toEqual(['text: Half '])
    expect(reply.metadata).toMatchObject({ finishReason: 'error', error: { code: appCode } })
  },
)
