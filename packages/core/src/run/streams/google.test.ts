import { expect, test } from 'vitest'
import { recordingOf } from '../../testing/provider-streams.ts'
import { reduceBySdk } from '../../testing/reduce-by-sdk.ts'
import { openFormatLab, outlineOf, turnOf } from '../../testing/stream-lab.ts'

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
const STOP = { finishReason: 'STOP' }

async function replyTo(...events: Event[]) {
  await using lab = await openFormatLab('google-messages')
  const lines = events.map((event) => JSON.stringify(event))
  const turn = await turnOf(lab, recordingOf({ folder: 'google-messages', lines }))
  expect(turn.message).toEqual(await reduceBySdk(turn.chunks))
  return turn.message
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

test('ST-4 a call that Google could not put into words is asked for again', async () => {
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

test('RL-5 a part of a kind that nobody knows leaves the rest of an answer of Google', async () => {
  const message = await replyTo(
    answer([{ text: 'One' }, { aPartOfNextYear: { any: 1 } }, { text: ' two' }], STOP),
  )
  expect(outlineOf(message).join(' ').replaceAll('text: ', '')).toContain('One')
  expect(outlineOf(message).join(' ')).toContain('two')
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 parallel calls of Google in one event and over several keep their arguments', async () => {
  const look = (args?: Event): Event => ({ functionCall: { name: 'look', ...(args && { args }) } })
  const message = await replyTo(
    answer([{ text: 'Three.' }, look({ at: 'a' }), look({ at: 'b' })]),
    answer([look()], STOP),
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
