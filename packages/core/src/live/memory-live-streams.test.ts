import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../domain/message.ts'
import { initialReduction, reduceChunk } from '../domain/message-reducer.ts'
import type { LiveStreams } from '../ports/index.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { randomChunks } from '../testing/random-chunks.ts'
import { createMemoryLiveStreams } from './memory-live-streams.ts'

const RUN = { runId: 'run_1', sessionId: 'ses_1' }
const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
const reduce = (chunks: readonly ChatChunk[]): unknown =>
  JSON.parse(JSON.stringify(chunks.reduce(reduceChunk, initialReduction('msg_1')).message))

function openStreams() {
  const clock = createFakeClock()
  const live = createMemoryLiveStreams({ clock })
  return { clock, live, all: async () => (await Array.fromAsync(live.read(RUN.runId))).flat() }
}

/** The whole run, by a viewer who takes as many turns of the event queue over each array as `pace` says. */
async function readSlowly(live: LiveStreams, pace: number): Promise<ChatChunk[]> {
  const read: ChatChunk[] = []
  for await (const batch of live.read(RUN.runId)) {
    read.push(...batch)
    for (let turn = 0; turn < pace; turn++) await Promise.resolve()
  }
  return read
}

/** Lets everything that can happen now happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('LS-2 LS-4 viewers who attach at any moments and read at any pace all get the whole run once', async () => {
  const viewer = fc.record({ attachAt: fc.nat({ max: 60 }), pace: fc.nat({ max: 4 }) })
  await fc.assert(
    fc.asyncProperty(randomChunks(), fc.array(viewer, { maxLength: 6 }), async (chunks, viewers) => {
      const { live } = openStreams()
      const writer = live.open(RUN)
      const attaching = (at: number) =>
        viewers.filter(({ attachAt }) => attachAt === at).map(({ pace }) => readSlowly(live, pace))
      const reading: Promise<ChatChunk[]>[] = []
      for (const [index, chunk] of chunks.entries()) {
        reading.push(...attaching(index))
        writer.append([chunk])
        if (index % 3 === 0) await Promise.resolve()
      }
      writer.end()
      reading.push(...attaching(chunks.length))
      for (const read of await Promise.all(reading)) {
        expect(reduce(read)).toEqual(reduce(chunks))
        expect(read.filter(({ type }) => type === 'finish')).toHaveLength(1)
      }
    }),
    { numRuns: 150 },
  )
})

test('LS-2 a viewer who attaches in the middle gets the run from its start and then live', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  writer.append([{ type: 'text-start', id: 't' }, delta('One ')])
  const reader = live.read(RUN.runId)[Symbol.asyncIterator]()
  expect((await reader.next()).value).toEqual([{ type: 'text-start', id: 't' }, delta('One ')])
  const next = reader.next()
  writer.append([delta('two')])
  expect((await next).value).toEqual([delta('two')])
  writer.end()
  expect((await reader.next()).done).toBe(true)
})

test('LS-4 a viewer who does not read costs no more than the log, and then gets the rest as one array', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  const slow = live.read(RUN.runId)[Symbol.asyncIterator]()
  writer.append([{ type: 'text-start', id: 't' }])
  await slow.next()
  for (let count = 0; count < 10_000; count++) writer.append([delta('x')])
  writer.append([{ type: 'finish' }])
  writer.end()
  expect((await slow.next()).value).toEqual([delta('x'.repeat(10_000)), { type: 'finish' }])
  expect((await slow.next()).done).toBe(true)
})

test('LS-7 200,000 deltas of one part are read back as one', async () => {
  const { live, all } = openStreams()
  const writer = live.open(RUN)
  for (let count = 0; count < 200_000; count++) writer.append([delta('y')])
  writer.end()
  expect(await all()).toEqual([delta('y'.repeat(200_000))])
})

test('LS-5 LS-7 a finished run can be attached to for a minute and is then freed', async () => {
  const { live, clock, all } = openStreams()
  const writer = live.open(RUN)
  writer.append([{ type: 'finish' }])
  writer.end()
  clock.advance(59_999)
  expect(await all()).toEqual([{ type: 'finish' }])
  expect(live.sessionOf(RUN.runId)).toBe(RUN.sessionId)
  clock.advance(1)
  expect(await all()).toEqual([])
  expect(live.sessionOf(RUN.runId)).toBeNull()
  expect(clock.pending).toBe(0)
})

test('LS-8 what comes after the end is dropped, and the end is said once', async () => {
  const { live, all, clock } = openStreams()
  const writer = live.open(RUN)
  writer.append([{ type: 'finish' }])
  writer.end()
  writer.append([delta('late')])
  writer.end()
  expect(await all()).toEqual([{ type: 'finish' }])
  expect(clock.pending).toBe(1)
})

test('LS-8 a run has one writer, and its id is never used again', () => {
  const { live } = openStreams()
  live.open(RUN).end()
  expect(() => live.open(RUN)).toThrow('run_1')
})

test('LS-8 a session has the run that was opened last until that one ends', () => {
  const { live } = openStreams()
  const first = live.open(RUN)
  const second = live.open({ ...RUN, runId: 'run_2' })
  first.end()
  expect(live.current(RUN.sessionId)).toBe('run_2')
  second.end()
  expect(live.current(RUN.sessionId)).toBeNull()
})

test('LS-2 an unknown run ends at once', async () => {
  expect(await openStreams().all()).toEqual([])
})

test('LS-1 a viewer whose signal aborts is let go, and the run and the others go on', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  const stop = new AbortController()
  const leaving = Array.fromAsync(live.read(RUN.runId, stop.signal))
  const staying = Array.fromAsync(live.read(RUN.runId))
  writer.append([delta('a')])
  await settle()
  stop.abort()
  expect(await leaving).toEqual([[delta('a')]])
  writer.append([{ type: 'finish' }])
  writer.end()
  expect((await staying).flat()).toEqual([delta('a'), { type: 'finish' }])
})
