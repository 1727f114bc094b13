import { outlineOf, replyOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

type Event = Record<string, unknown>

/** The two packages that speak the chat-completions format. */
const packages = ['openai-chat', 'openai-compatible-chat'] as const

const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'own' }
const delta = (fields: Event, finish_reason: string | null = null): Event => ({
  ...envelope,
  choices: [{ index: 0, delta: fields, finish_reason }],
})
const text = (content: string) => delta({ content })
const call = (index: number, fields: { id?: string; name?: string; arguments?: string }): Event => {
  const { id, ...of } = fields
  return delta({ tool_calls: [{ index, ...(id && { id, type: 'function' }), function: of }] })
}
const end = (reason: string) => delta({}, reason)
const usage = (counts: Event): Event => ({ ...envelope, choices: [], usage: counts })

async function turnWith(folder: string, events: Event[]) {
  return (await replyOf(folder, events)).message
}

/** The same of both packages. */
async function replyTo(...events: Event[]) {
  const [first, second] = [await turnWith(packages[0], events), await turnWith(packages[1], events)]
  expect(outlineOf(second)).toEqual(outlineOf(first))
  expect(second.metadata?.finishReason).toBe(first.metadata?.finishReason)
  expect(second.metadata?.usage).toEqual(first.metadata?.usage)
  return first
}

test.for([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['a_reason_of_next_year', 'other'],
] as const)('RL-5 a chat completion that ends with %s ends as %s', async ([reason, finishReason]) => {
  const message = await replyTo(delta({ role: 'assistant', content: '' }), text('So far.'), end(reason))
  expect(outlineOf(message)).toEqual(['text: So far.'])
  expect(message.metadata).toMatchObject({ finishReason })
})

test('RL-5 the end of a chat completion may come with its last words', async () => {
  const message = await replyTo(text('Hel'), delta({ content: 'lo' }, 'stop'))
  expect(outlineOf(message)).toEqual(['text: Hello'])
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 words after the end of a chat completion are kept', async () => {
  const message = await replyTo(delta({ content: 'Hel' }, 'stop'), text('lo'))
  expect(outlineOf(message)).toEqual(['text: Hello'])
})

test('RL-5 a refusal is what the reply says, and the run ends as filtered', async () => {
  const message = await replyTo(
    delta({ role: 'assistant', content: null, refusal: '' }),
    delta({ refusal: 'I can’t ' }),
    delta({ refusal: 'do that.' }),
    end('stop'),
  )
  expect(outlineOf(message)).toEqual(['text: I can’t do that.'])
  expect(message.metadata?.finishReason).toBe('content-filter')
})

test('RL-5 empty deltas, empty choices and events of other kinds leave a chat completion whole', async () => {
  const message = await replyTo(
    { ...envelope, choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
    delta({ role: 'assistant', content: '' }),
    delta({}),
    text('On'),
    delta({ content: null }),
    { ...envelope, choices: [] },
    text('e'),
    { ...envelope, object: 'chat.completion.of.next.year', choices: [] },
    end('stop'),
  )
  expect(outlineOf(message)).toEqual(['text: One'])
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 an event without choices says nothing of a chat completion and breaks nothing', async () => {
  const message = await replyTo(text('On'), { type: 'ping' }, { ...envelope }, text('e'), end('stop'))
  expect(outlineOf(message)).toEqual(['text: One'])
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 unknown fields change nothing in a chat completion', async () => {
  const message = await replyTo(
    { ...delta({ content: 'One', audio: null, mood: 'fine' }), system_fingerprint: 'fp', x: { y: 1 } },
    { ...end('stop'), obfuscation: 'abc' },
  )
  expect(outlineOf(message)).toEqual(['text: One'])
})

test('RL-5 parallel calls in a chat completion are separated by their index, in any order', async () => {
  const message = await replyTo(
    text('Looking.'),
    call(0, { id: 'call_a', name: 'look', arguments: '' }),
    call(1, { id: 'call_b', name: 'look', arguments: '' }),
    call(1, { arguments: '{"at":' }),
    call(0, { arguments: '{"at":"a' }),
    call(1, { arguments: '"b"}' }),
    call(0, { arguments: '"}' }),
    end('tool_calls'),
  )
  expect(outlineOf(message).toSorted()).toEqual([
    'look {"at":"a"} output-available',
    'look {"at":"b"} output-available',
    'text: Looking.',
  ])
  expect(message.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 several calls in one delta of a chat completion are all made', async () => {
  const message = await replyTo(
    delta({
      tool_calls: [0, 1, 2].map((index) => ({
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name: 'look', arguments: `{"at":${index}}` },
      })),
    }),
    end('tool_calls'),
  )
  expect(outlineOf(message)).toEqual([0, 1, 2].map((at) => `look {"at":${at}} output-available`))
})

test('RL-5 a call without arguments in a chat completion is made with none', async () => {
  const message = await replyTo(
    call(0, { id: 'call_a', name: 'look', arguments: '' }),
    call(1, { id: 'call_b', name: 'look', arguments: '{}' }),
    end('tool_calls'),
  )
  expect(outlineOf(message)).toEqual(['look {} output-available', 'look {} output-available'])
})

test('RL-5 calls are made although a chat completion says that it stopped', async () => {
  const message = await replyTo(call(0, { id: 'call_a', name: 'look', arguments: '{"at":1}' }), end('stop'))
  expect(outlineOf(message)).toEqual(['look {"at":1} output-available'])
  expect(message.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 a call that the output limit cut is an error in the reply, and ends it as too long', async () => {
  const message = await replyTo(
    call(0, { id: 'call_a', name: 'look', arguments: '{"at":"hal' }),
    end('length'),
  )
  expect(outlineOf(message)).toEqual([expect.stringMatching(/^look .* output-error$/)])
  expect(message.metadata?.finishReason).toBe('length')
})

test('RL-5 a call of a tool that is not there is an error for the model, not for the run', async () => {
  const message = await replyTo(call(0, { id: 'call_a', name: 'launch', arguments: '{}' }), end('tool_calls'))
  expect(outlineOf(message)).toEqual(['launch {} output-error'])
  expect(message.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 text that continues after a call in a chat completion is kept', async () => {
  const message = await replyTo(
    text('Before.'),
    call(0, { id: 'call_a', name: 'look', arguments: '{"at":1}' }),
    text(' After.'),
    end('tool_calls'),
  )
  const said = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  expect(said).toBe('Before. After.')
  expect(outlineOf(message)).toContain('look {"at":1} output-available')
})

test.for([
  ['reasoning_content', 'reasoning_content'],
  ['reasoning', 'reasoning'],
] as const)('RL-5 thoughts under the name %s are thoughts, before and between words', async ([name]) => {
  const message = await turnWith('openai-compatible-chat', [
    delta({ role: 'assistant', content: '', [name]: 'Let me ' }),
    delta({ [name]: 'see.' }),
    text('One'),
    delta({ [name]: 'Hm.' }),
    text('Two'),
    end('stop'),
  ])
  expect(outlineOf(message).filter((part) => !part.endsWith(': '))).toEqual([
    'reasoning: Let me see.',
    'text: One',
    'reasoning: Hm.',
    'text: Two',
  ])
})

const reports: { name: string; events: Event[]; counts: Event }[] = [
  {
    name: 'in an event of its own',
    events: [text('a'), end('stop'), usage({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })],
    counts: { input: 7, output: 3 },
  },
  {
    name: 'with the end',
    events: [text('a'), { ...end('stop'), usage: { prompt_tokens: 7, completion_tokens: 3 } }],
    counts: { input: 7, output: 3 },
  },
  {
    name: 'in every event, growing',
    events: [1, 2, 3].map((n) => ({
      ...(n < 3 ? text('a') : end('stop')),
      usage: { prompt_tokens: 7, completion_tokens: n, total_tokens: 7 + n },
    })),
    counts: { input: 7, output: 3 },
  },
  {
    name: 'in every event, and null in the last',
    events: [
      { ...text('a'), usage: { prompt_tokens: 7, completion_tokens: 3 } },
      { ...end('stop'), usage: null },
    ],
    counts: { input: 7, output: 3 },
  },
  {
    name: 'before the first word',
    events: [usage({ prompt_tokens: 7, completion_tokens: 3 }), text('a'), end('stop')],
    counts: { input: 7, output: 3 },
  },
  {
    name: 'with null details',
    events: [
      text('a'),
      end('stop'),
      usage({
        prompt_tokens: 7,
        completion_tokens: 3,
        prompt_tokens_details: null,
        completion_tokens_details: null,
      }),
    ],
    counts: { input: 7, output: 3 },
  },
  {
    name: 'with everything cached',
    events: [
      text('a'),
      end('stop'),
      usage({ prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 7 } }),
    ],
    counts: { input: 0, output: 3, cacheRead: 7 },
  },
  {
    name: 'with a cache that was read and written',
    events: [
      text('a'),
      end('stop'),
      usage({
        prompt_tokens: 70,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 },
      }),
    ],
    counts: { input: 10, output: 3, cacheRead: 40, cacheWrite: 20 },
  },
  {
    name: 'with nothing but reasoning',
    events: [
      text('a'),
      end('stop'),
      usage({
        prompt_tokens: 7,
        completion_tokens: 90,
        total_tokens: 97,
        completion_tokens_details: { reasoning_tokens: 90 },
      }),
    ],
    counts: { input: 7, output: 0, reasoning: 90 },
  },
  {
    name: 'with predictions that were refused',
    events: [
      text('a'),
      end('stop'),
      usage({
        prompt_tokens: 7,
        completion_tokens: 30,
        total_tokens: 37,
        completion_tokens_details: { reasoning_tokens: 0, rejected_prediction_tokens: 20 },
      }),
    ],
    counts: { input: 7, output: 30, reasoning: 0 },
  },
]

test.for(reports)(
  'US-2 a chat completion whose usage comes $name is counted right',
  async ({ events, counts }) => {
    const message = await replyTo(...events)
    const zero = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }
    expect(message.metadata?.usage).toEqual({ ...zero, ...counts })
  },
)

test.for([
  ['no usage at all', [text('a'), end('stop')]],
  ['an empty usage', [text('a'), end('stop'), usage({})]],
  ['only nulls', [text('a'), end('stop'), usage({ prompt_tokens: null, completion_tokens: null })]],
] as const)('US-2 a chat completion with %s is marked unknown', async ([, events]) => {
  const message = await replyTo(...events)
  expect(message.metadata?.usage).toMatchObject({ input: 0, output: 0, unknown: true, steps: 1 })
  expect(message.metadata?.finishReason).toBe('stop')
})

test.for([
  [{ message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' }, 'RATE_LIMITED'],
  [{ message: 'The server had an error', type: 'server_error' }, 'PROVIDER_ERROR'],
  [
    { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' },
    'CONTEXT_EXHAUSTED',
  ],
] as const)('RL-3 an error event in a chat completion, %j, ends the run as %s', async ([error, code]) => {
  const message = await replyTo(text('Half '), { error })
  expect(outlineOf(message)).toEqual(['text: Half '])
  expect(message.metadata).toMatchObject({ finishReason: 'error', error: { code } })
})

/** A call in pieces as servers of all kinds send it; what is undefined is not there. */
const piece = (index: number | undefined, id: unknown, name: unknown, args: unknown): Event =>
  delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] })
const SEEN = ['look {"at":1} output-available', 'look {"at":2} output-available']

const servers: { name: string; events: Event[]; parts: string[] }[] = [
  {
    name: 'leaves gaps between the numbers of its calls',
    events: [piece(3, 'a', 'look', '{"at":1}'), piece(7, 'b', 'look', '{"at":2}')],
    parts: SEEN,
  },
  {
    name: 'gives its calls no number',
    events: [piece(undefined, 'a', 'look', '{"at":1}'), piece(undefined, 'b', 'look', '{"at":2}')],
    parts: SEEN,
  },
  {
    name: 'gives all calls the same number',
    events: [piece(0, 'a', 'look', '{"at":1}'), piece(0, 'b', 'look', '{"at":2}')],
    parts: SEEN,
  },
  {
    name: 'gives all calls the same id',
    events: [piece(0, 'a', 'look', '{"at":1}'), piece(1, 'a', 'look', '{"at":2}')],
    parts: SEEN,
  },
  {
    name: 'gives its calls an empty id',
    events: [piece(0, '', 'look', '{"at":1}'), piece(1, '', 'look', '{"at":2}')],
    parts: SEEN,
  },
  {
    name: 'repeats id and name with each piece',
    events: [piece(0, 'a', 'look', '{"at":'), piece(0, 'a', 'look', '1}')],
    parts: SEEN.slice(0, 1),
  },
  {
    name: 'says null and nothing where it has said all',
    events: [piece(0, 'a', 'look', ''), piece(0, null, null, '{"at"'), piece(0, '', '', ':1}')],
    parts: SEEN.slice(0, 1),
  },
  {
    name: 'names a call after it has begun',
    events: [piece(0, 'a', undefined, undefined), piece(0, undefined, 'look', '{"at":1}')],
    parts: SEEN.slice(0, 1),
  },
  {
    name: 'has no arguments, or only space',
    events: [piece(0, 'a', 'look', null), piece(1, 'b', 'look', ' ')],
    parts: ['look {} output-available', 'look {} output-available'],
  },
  {
    name: 'lists no calls beside its words',
    events: [delta({ role: '', content: 'Hi', tool_calls: [], refusal: false })],
    parts: ['text: Hi'],
  },
  {
    name: 'begins with an event that holds nothing',
    events: [{ id: '', object: '', created: 0, model: '', choices: [] }, text('Hi')],
    parts: ['text: Hi'],
  },
  {
    name: 'has no reason yet in every event',
    events: [delta({ content: 'H' }, ''), delta({ content: 'i' }, '')],
    parts: ['text: Hi'],
  },
  {
    name: 'thinks and speaks in lists',
    events: [
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      delta({ content: [{ type: 'text', text: 'Hi' }] }),
    ],
    parts: ['reasoning: Hm', 'text: Hi'],
  },
  {
    name: 'thinks under two names at once, and in details',
    events: [
      delta({ reasoning: 'Hm', reasoning_content: 'Hm', reasoning_details: [{ type: 'reasoning.text' }] }),
      text('Hi'),
    ],
    parts: ['reasoning: Hm', 'text: Hi'],
  },
  {
    name: 'cuts a character between two events',
    events: [text('a\ud83d'), text('\ude00b')],
    parts: ['text: a😀b'],
  },
  {
    name: 'has no choices where it counts, and no envelope',
    events: [{ choices: [{ delta: { content: 'Hi' } }] }, { choices: null }, { choices: [{ delta: null }] }],
    parts: ['text: Hi'],
  },
]

test.for(servers)('RL-5 a server that $name is understood', async ({ events, parts }) => {
  const counts = usage({ prompt_tokens: 7, completion_tokens: 3 })
  const message = await turnWith('openai-compatible-chat', [...events, end('stop'), counts])
  expect(outlineOf(message)).toEqual(parts)
  expect(message.metadata?.finishReason).toBe(parts[0]?.startsWith('look') ? 'max-steps' : 'stop')
  expect(message.metadata?.usage).toMatchObject({ input: 7, output: 3 })
})

test('RL-3 a chat completion whose reason to end is an error has failed, and keeps what was said', async () => {
  const message = await replyTo(
    text('Half '),
    end('error'),
    usage({ prompt_tokens: 7, completion_tokens: 3 }),
  )
  expect(outlineOf(message)).toEqual(['text: Half '])
  expect(message.metadata).toMatchObject({ finishReason: 'error', error: { code: 'PROVIDER_ERROR' } })
})

test.for([
  ['The model was unloaded', 'PROVIDER_ERROR', 'The model was unloaded'],
  ["This model's maximum context length is 8192 tokens.", 'CONTEXT_EXHAUSTED', 'no longer fits'],
] as const)(
  'RL-3 an error that is only a sentence, %j, is classified as %s',
  async ([error, code, words]) => {
    const message = await replyTo(text('Half '), { error })
    expect(message.metadata).toMatchObject({ finishReason: 'error', error: { code } })
    expect(message.metadata?.error?.message).toContain(words)
  },
)

test('RL-5 a call before the output limit is not made, and the next model call says so', async () => {
  const message = await replyTo(call(0, { id: 'a', name: 'look', arguments: '{"at":1}' }), end('length'))
  expect(outlineOf(message)).toEqual(['look {"at":1} output-error'])
  expect(JSON.stringify(message.parts)).toContain('was not made')
  expect(message.metadata?.finishReason).toBe('length')
})
