import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { liveStreamsContract } from '@palimpsest/testing/live-streams-contract.ts'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../domain/message/message.ts'
import { createMemoryLiveStreams } from './memory-live-streams.ts'

const RUN = { runId: 'run_1', sessionId: 'ses_1' }
const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
const textOf = (chunks: readonly (ChatChunk | undefined)[]) =>
  chunks.map((chunk) => (chunk?.type === 'text-delta' ? chunk.delta : '')).join('')

liveStreamsContract('live streams in memory', async () => {
  const clock = createFakeClock()
  const live = createMemoryLiveStreams({ clock })
  return {
    live,
    elsewhere: live,
    passGrace: async () => clock.advance(60_000),
    [Symbol.asyncDispose]: async () => {},
  }
})

function openStreams() {
  const clock = createFakeClock()
  const live = createMemoryLiveStreams({ clock })
  return { clock, live, all: async () => (await Array.fromAsync(live.read(RUN.runId))).flat() }
}

/** Lets everything that can happen now happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('LS-4 a viewer that does not read costs no memory beside the log, and then gets the rest as one array', async () => {
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

test('LS-7 200,000 deltas of one part are read back as a few slices of bounded size', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  for (let count = 0; count < 200_000; count++) writer.append([delta('y')])
  writer.end()
  const slices = await Array.fromAsync(live.read(RUN.runId))
  expect(slices).toHaveLength(7)
  expect(Math.max(...slices.map((slice) => JSON.stringify(slice).length))).toBeLessThan(32_768)
  expect(textOf(slices.flat())).toBe('y'.repeat(200_000))
})

test('LS-4 no further slice is made for a reader that has stopped reading', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  const paused = live.read(RUN.runId)[Symbol.asyncIterator]()
  writer.append([delta('z'.repeat(1_000_000))])
  const [first] = (await paused.next()).value ?? []
  writer.append([delta('!')])
  writer.end()
  expect(textOf([first])).toHaveLength(32_640)
  expect(textOf((await Array.fromAsync({ [Symbol.asyncIterator]: () => paused })).flat())).toBe(
    `${'z'.repeat(1_000_000 - 32_640)}!`,
  )
})

test('PF-4 a run with many readers gathers its chunks for them, in rounds that are a millisecond apart for each', async () => {
  const { live, clock } = openStreams()
  const writer = live.open(RUN)
  const slices: number[] = []
  const reading = Array.from({ length: 100 }, async () => {
    let taken = 0
    for await (const _ of live.read(RUN.runId)) taken += 1
    slices.push(taken)
  })
  await settle()
  // Ten seconds of a delta every 20 ms.
  for (let at = 0; at < 500; at++) {
    writer.append([delta('w ')])
    await settle()
    clock.advance(20)
    await settle()
  }
  writer.append([{ type: 'finish' }])
  writer.end()
  await Promise.all(reading)
  expect(Math.max(...slices)).toBeLessThanOrEqual(102)
  expect(Math.min(...slices)).toBeGreaterThan(90)
})

test('PF-4 the end of a run is not gathered, and nothing waits after it', async () => {
  const { live, clock } = openStreams()
  const writer = live.open(RUN)
  const reading = Array.from({ length: 100 }, async () =>
    (await Array.fromAsync(live.read(RUN.runId))).flat(),
  )
  await settle()
  writer.append([delta('a')])
  await settle()
  writer.append([delta('b')])
  expect(clock.pending).toBe(1)
  writer.append([{ type: 'finish' }])
  writer.end()
  for (const read of await Promise.all(reading))
    expect(read).toEqual([delta('a'), delta('b'), { type: 'finish' }])
  // The grace period alone.
  expect(clock.pending).toBe(1)
})

test('PF-4 up to eight readers of a run get each chunk at once', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  const readers = Array.from({ length: 8 }, () => live.read(RUN.runId)[Symbol.asyncIterator]())
  for (const letter of ['a', 'b', 'c']) {
    const next = readers.map((reader) => reader.next())
    await settle()
    writer.append([delta(letter)])
    for (const { value } of await Promise.all(next)) expect(value).toEqual([delta(letter)])
  }
})

test('PF-4 a viewer who attaches between two rounds gets what there is at once', async () => {
  const { live } = openStreams()
  const writer = live.open(RUN)
  for (let count = 0; count < 50; count++) void live.read(RUN.runId)[Symbol.asyncIterator]().next()
  await settle()
  writer.append([delta('a')])
  writer.append([delta('b')])
  expect((await live.read(RUN.runId)[Symbol.asyncIterator]().next()).value).toEqual([delta('ab')])
})

test('LS-5 LS-7 a finished run can be attached to for a minute and is then freed', async () => {
  const { live, clock, all } = openStreams()
  const writer = live.open(RUN)
  writer.append([{ type: 'finish' }])
  writer.end()
  clock.advance(59_999)
  expect(await all()).toEqual([{ type: 'finish' }])
  expect(await live.sessionOf(RUN.runId)).toBe(RUN.sessionId)
  clock.advance(1)
  expect(await all()).toEqual([])
  expect(await live.sessionOf(RUN.runId)).toBeNull()
  expect(clock.pending).toBe(0)
})

test('LS-8 chunks after the end are dropped, and the end is published once', async () => {
  const { live, all, clock } = openStreams()
  const writer = live.open(RUN)
  writer.append([{ type: 'finish' }])
  writer.end()
  writer.append([delta('late')])
  writer.end()
  expect(await all()).toEqual([{ type: 'finish' }])
  expect(clock.pending).toBe(1)
})
