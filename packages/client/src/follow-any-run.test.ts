import { type ChatChunk, initialReduction, reduceChunk } from '@palimpsest/core/domain'
import { randomChunks } from '@palimpsest/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiError } from './api.ts'
import { type FollowRun, followRun } from './follow-run.ts'
import { createFakeApi, type FakeApi, refusal, unreachable } from './testing/fake-api.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

type Heard = { chunks: ChatChunk[]; ends: { complete: boolean }[]; errors: ApiError[]; following: Disposable }

function follow(fake: FakeApi, over: Partial<FollowRun> = {}): Heard {
  const heard = { chunks: [] as ChatChunk[], ends: [] as { complete: boolean }[], errors: [] as ApiError[] }
  const following = followRun(fake.api, {
    sessionId: 's',
    runId: 'r',
    onChunks: (more) => heard.chunks.push(...more),
    onEnd: (end) => heard.ends.push(end),
    onError: (error) => heard.errors.push(error),
    ...over,
  })
  return { ...heard, following }
}

const reduce = (chunks: readonly ChatChunk[]): unknown =>
  JSON.parse(JSON.stringify(chunks.reduce(reduceChunk, initialReduction('msg_1')).message))

/** The chunks in arrays of these sizes, over and over. */
function inBatches(chunks: readonly ChatChunk[], sizes: readonly number[]): ChatChunk[][] {
  const batches: ChatChunk[][] = []
  for (let at = 0, turn = 0; at < chunks.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    batches.push(chunks.slice(at, at + size))
    at += size
  }
  return batches
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 })
const lost = fc.record({ sizes, after: fc.nat({ max: 40 }), begins: fc.boolean() })

test('AP-2 LS-2 a run is received whole and once, wherever and however often its stream is lost', async () => {
  await fc.assert(
    fc.asyncProperty(randomChunks(40), fc.array(lost, { maxLength: 5 }), sizes, async (run, losses, last) => {
      const fake = createFakeApi()
      const heard = follow(fake)
      for (const { sizes: cut, after, begins } of losses) {
        const stream = fake.streams.at(-1)
        if (begins) stream?.started()
        if (begins) for (const batch of inBatches(run, cut).slice(0, after)) stream?.data(batch)
        stream?.error(unreachable())
        await vi.advanceTimersByTimeAsync(5000)
      }
      const stream = fake.streams.at(-1)
      stream?.started()
      for (const batch of inBatches(run, last)) stream?.data(batch)
      stream?.complete()
      expect(fake.streams).toHaveLength(losses.length + 1)
      expect(reduce(heard.chunks)).toEqual(reduce(run))
      expect(heard.ends).toEqual([{ complete: true }])
      expect(heard.errors).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    }),
    { numRuns: 150 },
  )
})

test('AP-2 a socket that reconnects by itself starts the stream over, and nothing is received twice', () => {
  fc.assert(
    fc.property(
      randomChunks(30),
      sizes,
      fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
      (run, cut, restarts) => {
        const fake = createFakeApi()
        const heard = follow(fake)
        const [stream] = fake.streams
        for (const after of restarts) {
          stream?.started()
          for (const batch of inBatches(run, cut).slice(0, after)) stream?.data(batch)
        }
        stream?.started()
        stream?.data(run)
        stream?.complete()
        expect(reduce(heard.chunks)).toEqual(reduce(run))
        expect(heard.chunks.filter(({ type }) => type === 'finish')).toHaveLength(1)
      },
    ),
    { numRuns: 150 },
  )
})

const text = (delta: string): ChatChunk => ({ type: 'text-delta', id: 't', delta })
const RUN: ChatChunk[] = [{ type: 'text-start', id: 't' }, text('one '), text('two')]

test.for([
  { type: 'finish' as const },
  { type: 'abort' as const },
  { type: 'error' as const, errorText: 'No' },
])('AP-2 a stream whose last chunk is $type is complete', (last) => {
  const fake = createFakeApi()
  const heard = follow(fake)
  fake.streams[0]?.started()
  fake.streams[0]?.data([...RUN, last])
  fake.streams[0]?.complete()
  expect(heard.ends).toEqual([{ complete: true }])
})

test('LS-5 a stream without a last chunk is reported as incomplete, so that the store is read', () => {
  const fake = createFakeApi()
  const heard = follow(fake)
  fake.streams[0]?.started()
  fake.streams[0]?.data(RUN)
  fake.streams[0]?.complete()
  expect(heard.ends).toEqual([{ complete: false }])
})

test.for([400, 401, 403, 404, 409, 429])('AP-5 a %i is reported once and not retried', async (status) => {
  const fake = createFakeApi()
  const heard = follow(fake)
  const no = refusal(status, 'SESSION_NOT_FOUND')
  fake.streams[0]?.started()
  fake.streams[0]?.data(RUN)
  fake.streams[0]?.error(no)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(heard.errors).toEqual([no])
  expect(heard.ends).toEqual([])
  expect(fake.streams).toHaveLength(1)
})

test.for([500, 503, 504])(
  'AP-2 a %i is not a refusal: it is retried until an answer comes',
  async (status) => {
    const fake = createFakeApi()
    const heard = follow(fake)
    for (let time = 1; time <= 10; time++) {
      fake.streams.at(-1)?.error(refusal(status, 'INTERNAL'))
      await vi.advanceTimersByTimeAsync(5000)
      expect(fake.streams).toHaveLength(time + 1)
    }
    expect(heard.errors).toEqual([])
  },
)

test('AP-2 delays between attempts double up to five seconds, and start over once something was received', async () => {
  const fake = createFakeApi()
  follow(fake)
  const waitOf = async () => {
    const before = fake.streams.length
    fake.streams.at(-1)?.error(unreachable())
    let waited = 0
    while (fake.streams.length === before && waited < 20_000) {
      await vi.advanceTimersByTimeAsync(100)
      waited += 100
    }
    return waited
  }
  const waits: number[] = []
  for (let time = 0; time < 8; time++) waits.push(await waitOf())
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000])
  fake.streams.at(-1)?.started()
  fake.streams.at(-1)?.data(RUN)
  expect(await waitOf()).toBe(100)
})

const departures = ['dispose', 'signal'].flatMap((how) =>
  ['before the first chunk', 'in the middle', 'between two tries'].map((moment) => ({ how, moment })),
)

test.for(departures)(
  'LS-1 a viewer that detaches by $how $moment receives nothing more, and leaves no timer behind',
  async ({ how, moment }) => {
    const fake = createFakeApi()
    const leave = new AbortController()
    const heard = follow(fake, { signal: leave.signal })
    const [stream] = fake.streams
    stream?.started()
    if (moment !== 'before the first chunk') stream?.data(RUN.slice(0, 2))
    if (moment === 'between two tries') stream?.error(unreachable())
    if (how === 'dispose') heard.following[Symbol.dispose]()
    else leave.abort()
    const before = heard.chunks.length
    stream?.data(RUN)
    stream?.complete()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard.chunks).toHaveLength(before)
    expect([heard.ends, heard.errors, fake.calls]).toEqual([[], [], []])
    expect(fake.streams.map(({ open }) => open)).toEqual([false])
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('LS-1 a viewer that detaches inside a callback receives no further chunks', () => {
  const fake = createFakeApi()
  const leave = new AbortController()
  let heard = 0
  follow(fake, {
    signal: leave.signal,
    onChunks() {
      heard += 1
      leave.abort()
    },
  })
  fake.streams[0]?.started()
  fake.streams[0]?.data([text('one')])
  fake.streams[0]?.data([text('two')])
  expect(heard).toBe(1)
})

test('LS-2 the current run is requested without an id, a named one by its id', () => {
  const fake = createFakeApi()
  follow(fake, { runId: undefined })
  follow(fake)
  expect(fake.streams.map(({ input }) => input)).toEqual([{ sessionId: 's' }, { sessionId: 's', runId: 'r' }])
})

test.for(['the link reconnects by itself', 'the subscription fails'])(
  'AP-2 a current run that was followed is not continued by the next one when %s',
  async (how) => {
    const fake = createFakeApi()
    const heard = follow(fake, { runId: undefined })
    const start = (runId: string): ChatChunk => ({
      type: 'start',
      messageId: `msg_of_${runId}`,
      messageMetadata: { schemaVersion: 1, createdAt: 1, runId },
    })
    const [first] = fake.streams
    first?.started()
    first?.data([start('run_1'), ...RUN])
    if (how === 'the subscription fails') {
      first?.error(unreachable())
      await vi.advanceTimersByTimeAsync(100)
    } else {
      first?.started()
      first?.data([start('run_2'), ...RUN, { type: 'finish' }])
    }
    const [, second] = fake.streams
    expect(second?.input).toEqual({ sessionId: 's', runId: 'run_1' })
    expect(first?.open).toBe(false)
    second?.started()
    second?.data([start('run_1'), ...RUN, text(' three'), { type: 'finish' }])
    second?.complete()
    expect(heard.chunks).toEqual([start('run_1'), ...RUN, text(' three'), { type: 'finish' }])
    expect(heard.ends).toEqual([{ complete: true }])
  },
)

test('AP-2 a link that reconnects before the first chunk still requests the current run', () => {
  const fake = createFakeApi()
  const heard = follow(fake, { runId: undefined })
  fake.streams[0]?.started()
  fake.streams[0]?.started()
  fake.streams[0]?.data(RUN)
  expect(fake.streams).toHaveLength(1)
  expect(heard.chunks).toEqual(RUN)
})
