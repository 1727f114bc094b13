import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnswerKind, createAnswerScanner } from './answer-scanner.ts'
import { boundedBody } from './bounded-body.ts'

const encoder = new TextEncoder()

/** What is read of a body of these pieces, how often other work ran meanwhile, and the reason its source was cancelled with. */
async function read(pieces: Iterable<string>, kind: AnswerKind = 'stream', now = () => 0) {
  let turns = 0
  let cancelled: unknown = null
  const iterator = pieces[Symbol.iterator]()
  const source = new ReadableStream<Uint8Array>({
    pull(out) {
      const { done, value } = iterator.next()
      if (done) out.close()
      else out.enqueue(encoder.encode(value))
    },
    cancel: (reason) => {
      cancelled = reason
    },
  })
  const clock = {
    elapsed: () => now(),
    turn() {
      turns += 1
      return Promise.resolve()
    },
  }
  const body = boundedBody(source, createAnswerScanner(kind), { clock })
  let text = ''
  let failure: unknown = null
  let largest = 0
  try {
    for await (const piece of body) {
      largest = Math.max(largest, piece.length)
      if (text.length < 1_000_000) text += new TextDecoder().decode(piece)
    }
  } catch (error) {
    failure = error
  }
  return { text, failure, turns, cancelled, largest }
}

function* endless(piece: string): Generator<string> {
  for (;;) yield piece
}

test('SX-10 a body within the limits passes unchanged, at any chunk size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), async (pieces) => {
      const { text, failure } = await read(pieces)
      expect(failure).toBeNull()
      expect(text).toBe(pieces.join(''))
    }),
  )
})

const refusals: { name: string; piece: string; message: string }[] = [
  { name: 'a line that never ends', piece: 'a'.repeat(65_536), message: '8 MB in one event' },
  { name: 'an event of endless lines', piece: 'data: "some words"\n', message: '8 MB in one event' },
  { name: 'endless short events', piece: 'data: {"a":"bc"}\n\n'.repeat(4_000), message: '1,500,000 lines' },
  { name: 'endless empty lines', piece: '\n'.repeat(65_536), message: '60,000 lines in a row' },
  { name: 'endless carriage returns', piece: '\r'.repeat(65_536), message: '60,000 lines in a row' },
  { name: 'endless comments', piece: ': hi\r\n\r\n'.repeat(8_000), message: '60,000 lines in a row' },
  { name: 'endless marks of an end', piece: 'data: [DONE]\n\n', message: '60,000 lines in a row' },
  { name: 'endless large events', piece: `data: ${'a'.repeat(65_536)}\n\n`, message: '128 MB in an answer' },
  { name: 'an event of many values', piece: `[${'1,'.repeat(1_000)}]`, message: '50,000 JSON values' },
  { name: 'an event nested deep', piece: '{"a":['.repeat(100), message: '256 levels' },
  { name: 'a short event nested deep', piece: `data: ${'['.repeat(300)}\n\n`, message: '256 levels' },
]

test.for(refusals)('SX-10 $name fails by name and stops the source', async ({ piece, message }) => {
  const { failure, cancelled } = await read(endless(piece))
  expect(failure).toMatchObject({ name: 'RefusedAnswerError', message: expect.stringContaining(message) })
  expect(cancelled).toBe(failure)
})

test('SX-10 values and brackets count in one event only, and not inside strings', async () => {
  const event = `data: {"text":"${'[,{\\"'.repeat(20_000)}","list":[${'1,'.repeat(30_000)}1]}\n\n`
  expect((await read(Array.from({ length: 5 }, () => event))).failure).toBeNull()
})

test('SX-10 an answer that is no stream has no events, and 4 MB at most', async () => {
  expect((await read(['{\n\n}'.repeat(100)], 'body')).failure).toBeNull()
  const { failure } = await read(endless('\n\n'.repeat(10_000)), 'body')
  expect(failure).toMatchObject({ message: expect.stringContaining('4 MB in an answer') })
})

test('SX-10 much that comes at once is passed on in small pieces, with a turn for other work between them', async () => {
  const burst = await read(['data:1\n\n'.repeat(10_000)])
  expect(burst.largest).toBeLessThanOrEqual(1_024)
  expect(burst.turns).toBeGreaterThan(100)
  const pieces = Array.from({ length: 1_000 }, () => 'data: word\n\n')
  expect((await read(pieces)).turns).toBeGreaterThan(10)
})

test('SX-10 a turn for other work comes after each 5 ms that an answer takes', async () => {
  let now = 0
  const pieces = Array.from({ length: 60 }, () => 'data: word\n\n')
  const { turns } = await read(pieces, 'stream', () => now++)
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('SX-10 comments between events, however many in all, end no answer', async () => {
  const pieces = Array.from(
    { length: 40 },
    () => `${': PROCESSING\n\n'.repeat(2_000)}data: {"text":"word"}\n\n`,
  )
  expect((await read(pieces)).failure).toBeNull()
})

test('RL-5 the last event of a stream of events is completed, and the bytes before it are not changed', async () => {
  const clock = { elapsed: () => 0, turn: () => Promise.resolve() }
  const textOf = (body: ReadableStream<Uint8Array>, hasEvents: boolean) =>
    new Response(boundedBody(body, createAnswerScanner('stream'), { clock, hasEvents })).text()
  const bodyOf = (text: string) => new Blob([text]).stream()
  expect(await textOf(bodyOf('data: 1\n\ndata: 2'), true)).toBe('data: 1\n\ndata: 2\n\n')
  expect(await textOf(bodyOf('{}'), false)).toBe('{}')
  const broken = new ReadableStream<Uint8Array>({ pull: (out) => out.error(new TypeError('terminated')) })
  await expect(textOf(broken, true)).rejects.toThrow('terminated')
})
