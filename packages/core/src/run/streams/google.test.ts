import { recordingOf } from '@palimpsest/testing/provider-streams.ts'
import { openFormatLab, outlineOf, replyOf, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

type Event = Record<string, unknown>

const answer = (parts: Event[], rest: Event = {}, more: Event = {}): Event => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
  modelVersion: 'gemini-own',
  responseId: 'r1',
  ...more,
})
const text = (words: string, rest?: Event, more?: Event) => answer([{ text: words }], rest, more)
const thought = (words: string, thoughtSignature?: string) =>
  answer([{ text: words, thought: true, ...(thoughtSignature && { thoughtSignature }) }])
const usage = (counts: Event): Event => ({ usageMetadata: counts })
const look = (of: Event): Event => ({ functionCall: { name: 'look', ...of } })
const STOP = { finishReason: 'STOP' }

async function replyTo(...events: Event[]) {
  return (await replyOf('google-messages', events)).message
}

test.for([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['OTHER', 'other'],
  ['LANGUAGE', 'other'],
  ['A_REASON_OF_NEXT_YEAR', 'other'],
] as const)('RL-5 an answer of Google that ends with %s ends as %s', async ([reason, finishReason]) => {
  const message = await replyTo(text('So '), text('far.', { finishReason: reason }))
  expect(outlineOf(message)).toEqual(['text: So far.'])
  expect(message.metadata).toMatchObject({ finishReason })
  expect(message.metadata).not.toHaveProperty('error')
})

test('RL-5 an answer of Google may end in an event without content', async () => {
  const message = await replyTo(text('All.'), {
    candidates: [{ finishReason: 'STOP', index: 0 }],
    responseId: 'r1',
  })
  expect(outlineOf(message)).toEqual(['text: All.'])
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 an answer of Google that is filtered before its first word is an empty, filtered reply', async () => {
  const message = await replyTo({
    candidates: [{ finishReason: 'SAFETY', index: 0, safetyRatings: [] }],
    ...usage({ promptTokenCount: 12, totalTokenCount: 12 }),
  })
  expect(outlineOf(message)).toEqual([])
  expect(message.metadata).toMatchObject({ finishReason: 'content-filter', usage: { input: 12, output: 0 } })
})

test('RL-5 a prompt that Google blocks is a filtered reply, not a broken one', async () => {
  const message = await replyTo({
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    ...usage({ promptTokenCount: 12, totalTokenCount: 12 }),
  })
  expect(message.metadata).toMatchObject({ finishReason: 'content-filter', usage: { input: 12, output: 0 } })
  expect(message.metadata).not.toHaveProperty('error')
})

test('ST-4 a call that Google reports as malformed is requested again', async () => {
  const malformed = answer([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed' })
  const line = (event: Event) => recordingOf({ folder: 'google-messages', lines: [JSON.stringify(event)] })
  await using lab = await openFormatLab('google-messages', { runs: { maxTries: 2 } })
  lab.provider.script(line(malformed))
  const { message } = await turnOf(lab, line(text('Now then.', STOP)))
  expect(outlineOf(message)).toEqual(['text: Now then.'])
  expect(message.metadata?.finishReason).toBe('stop')
  expect(lab.provider.requests).toHaveLength(2)
})

test('RL-5 events of Google that say nothing leave an answer whole', async () => {
  const message = await replyTo(
    { responseId: 'r1', modelVersion: 'gemini-own' },
    { candidates: [] },
    text('One'),
    text(''),
    { candidates: null, usageMetadata: null },
    answer([]),
    text(' two', STOP, { somethingNew: { of: 'next year' } }),
  )
  expect(outlineOf(message)).toEqual(['text: One two'])
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 a part of an unknown kind leaves the rest of an answer of Google', async () => {
  const message = await replyTo(
    answer([{ text: 'One' }, { aPartOfNextYear: { any: 1 } }, { text: ' two' }], STOP),
  )
  expect(outlineOf(message).join(' ').replaceAll('text: ', '')).toContain('One')
  expect(outlineOf(message).join(' ')).toContain('two')
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 parallel calls of Google in one event and over several keep their arguments', async () => {
  const message = await replyTo(
    answer([{ text: 'Three.' }, look({ args: { at: 'a' } }), look({ args: { at: 'b' } })]),
    answer([look({})], STOP),
  )
  expect(outlineOf(message)).toEqual([
    'text: Three.',
    'look {"at":"a"} output-available',
    'look {"at":"b"} output-available',
    'look {} output-available',
  ])
  expect(message.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 a call of Google that comes after the end of its text is made', async () => {
  const message = await replyTo(
    text('Let me look.'),
    answer([{ functionCall: { name: 'look', args: { at: 1, deep: { odd: [1.5, null, 'ü'] } } } }]),
    text('', STOP),
  )
  expect(outlineOf(message)).toContain('look {"at":1,"deep":{"odd":[1.5,null,"ü"]}} output-available')
})

test('RU-8 signatures of Google on thoughts, text and calls each stay with their part', async () => {
  const message = await replyTo(
    thought('First.', 'sig/thought=='),
    answer([{ text: 'So.', thoughtSignature: 'sig/text==' }]),
    answer([{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'sig/call==' }], STOP),
  )
  const signed = message.parts.flatMap((part) => {
    const found = /"thoughtSignature":"([^"]+)"/.exec(JSON.stringify(part))
    return found ? [[part.type, found[1]]] : []
  })
  expect(signed).toEqual([
    ['reasoning', 'sig/thought=='],
    ['text', 'sig/text=='],
    ['tool-look', 'sig/call=='],
  ])
})

test('RU-8 a signature of Google that comes with no words is kept', async () => {
  const message = await replyTo(text('Done.'), answer([{ text: '', thoughtSignature: 'sig/empty==' }], STOP))
  expect(JSON.stringify(message.parts)).toContain('sig/empty==')
  expect(outlineOf(message)[0]).toBe('text: Done.')
})

const more = (partialArgs: Event[] | undefined, rest: Event = {}): Event => ({
  functionCall: { ...(partialArgs && { partialArgs }), ...rest },
})
const ON = { willContinue: true }

test.for<{ name: string; events: Event[]; parts: unknown[]; finishReason: string }>([
  {
    name: 'a call whose arguments stream',
    events: [
      answer([look(ON)]),
      answer([more([{ jsonPath: '$.at', stringValue: 'a', ...ON }], ON)]),
      answer([more([{ jsonPath: '$.at', stringValue: 'b' }], ON)]),
      answer([more([{ jsonPath: '$.deep.list[0].n', numberValue: 1.5 }], ON)]),
      answer([more(undefined)], STOP),
    ],
    parts: ['look {"at":"ab","deep":{"list":[{"n":1.5}]}} output-available'],
    finishReason: 'max-steps',
  },
  {
    name: 'a call whose arguments break off',
    events: [
      answer([look(ON)]),
      answer([more([{ jsonPath: '$.at', stringValue: 'a' }], ON)]),
      text('', STOP),
    ],
    parts: [expect.stringMatching(/^look .* output-error$/)],
    finishReason: 'stop',
  },
  {
    name: 'a call before its output limit',
    events: [answer([look({ args: { at: 1 } })], { finishReason: 'MAX_TOKENS' })],
    parts: ['look {"at":1} output-error'],
    finishReason: 'length',
  },
  {
    name: 'calls under empty ids, with and without arguments',
    events: [answer([look({ id: '', args: { at: 1 } }), look({ id: '', args: null })], STOP)],
    parts: ['look {"at":1} output-available', 'look {} output-available'],
    finishReason: 'max-steps',
  },
  {
    name: 'two candidates, of which the first is taken,',
    events: [
      {
        candidates: ['A', 'B'].map((words, index) => ({
          content: { parts: [{ text: words }] },
          index,
          ...STOP,
        })),
      },
    ],
    parts: ['text: A'],
    finishReason: 'stop',
  },
  {
    name: 'a picture',
    events: [answer([{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }], STOP)],
    parts: ['file'],
    finishReason: 'stop',
  },
  {
    name: 'a search of its own and its sources',
    events: [
      answer([
        { toolCall: { toolType: 'GOOGLE_SEARCH', id: 's', args: { q: 'ink' } } },
        { toolResponse: { toolType: 'GOOGLE_SEARCH', id: 's', response: {} } },
      ]),
      text('Dark.', {
        ...STOP,
        groundingMetadata: { groundingChunks: [{ web: { uri: 'https://example.com/', title: 'Ink' } }] },
      }),
    ],
    parts: ['server:GOOGLE_SEARCH {"q":"ink"} output-available', 'source-url', 'text: Dark.'],
    finishReason: 'stop',
  },
])('RL-5 an answer of Google with $name is understood', async ({ events, parts, finishReason }) => {
  const message = await replyTo(...events)
  expect(outlineOf(message)).toEqual(parts)
  expect(message.metadata).toMatchObject({ finishReason })
})

test('RU-8 a signature of Google without words, after a call, goes back with the next one', async () => {
  await using lab = await openFormatLab('google-messages')
  const lines = [
    answer([{ ...look({ args: {} }), thoughtSignature: 'sig/call==' }]),
    answer([{ text: '', thoughtSignature: 'sig/alone==' }], STOP),
  ].map((event) => JSON.stringify(event))
  const { sessionId } = await turnOf(lab, recordingOf({ folder: 'google-messages', lines }))
  lab.provider.script(recordingOf({ folder: 'google-messages', lines: [JSON.stringify(text('Yes.', STOP))] }))
  await lab.turn('And then?', sessionId)
  const sent = JSON.stringify(lab.provider.requests.at(-1)?.body)
  for (const signature of ['sig/call==', 'sig/alone==']) expect(sent).toContain(signature)
})

const reports: { name: string; events: Event[]; counts: Event }[] = [
  {
    name: 'grows from event to event',
    events: [1, 2, 3].map((n) =>
      text(
        'a',
        n === 3 ? STOP : {},
        usage({ promptTokenCount: 8, candidatesTokenCount: n, totalTokenCount: 8 + n }),
      ),
    ),
    counts: { input: 8, output: 3 },
  },
  {
    name: 'names its prompt first and all of it last',
    events: [
      text('a', {}, usage({ promptTokenCount: 8, totalTokenCount: 8 })),
      text('b', STOP, usage({ promptTokenCount: 8, candidatesTokenCount: 4, totalTokenCount: 12 })),
    ],
    counts: { input: 8, output: 4 },
  },
  {
    name: 'counts only thoughts',
    events: [text('', STOP, usage({ promptTokenCount: 8, thoughtsTokenCount: 30, totalTokenCount: 38 }))],
    counts: { input: 8, output: 0, reasoning: 30 },
  },
  {
    name: 'has all of its prompt in the cache',
    events: [
      text(
        'a',
        STOP,
        usage({
          promptTokenCount: 8,
          cachedContentTokenCount: 8,
          candidatesTokenCount: 1,
          totalTokenCount: 9,
        }),
      ),
    ],
    counts: { input: 0, output: 1, cacheRead: 8 },
  },
  {
    name: 'paid for what its tools read',
    events: [
      text(
        'a',
        STOP,
        usage({
          promptTokenCount: 8,
          toolUsePromptTokenCount: 100,
          candidatesTokenCount: 1,
          thoughtsTokenCount: 5,
          totalTokenCount: 114,
        }),
      ),
    ],
    counts: { input: 108, output: 1, reasoning: 5 },
  },
  {
    name: 'is counted in an event of its own',
    events: [text('a', STOP), usage({ promptTokenCount: 8, candidatesTokenCount: 2, totalTokenCount: 10 })],
    counts: { input: 8, output: 2 },
  },
]

test.for(reports)('US-2 an answer of Google that $name is counted right', async ({ events, counts }) => {
  const message = await replyTo(...events)
  const zero = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }
  expect(message.metadata?.usage).toEqual({ ...zero, ...counts })
})

test.for([
  [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' }, 'RATE_LIMITED'],
  [{ code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' }, 'PROVIDER_ERROR'],
  [
    {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    },
    'CONTEXT_EXHAUSTED',
  ],
] as const)('RL-3 an error event of Google, %j, ends the run as %s', async ([error, code]) => {
  const message = await replyTo(text('Half '), { error })
  expect(outlineOf(message)).toEqual(['text: Half '])
  expect(message.metadata).toMatchObject({ finishReason: 'error', error: { code } })
})
