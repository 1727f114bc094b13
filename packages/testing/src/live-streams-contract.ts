import { type ChatChunk, initialReduction, reduceChunk } from '@palimpsest/core/domain'
import type { LiveStreams } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomChunks } from './random-chunks.ts'

export type LiveStreamsFixture = AsyncDisposable & {
  /** Where runs are written. */
  readonly live: LiveStreams
  /** Where they are read: the same, or those of another process on the same logs. */
  readonly elsewhere: LiveStreams
  /** Lets the grace period of every finished run pass. */
  passGrace(): Promise<void>
}

const RUN = { runId: 'run_1', sessionId: 'ses_1' }
const FINISH: ChatChunk = { type: 'finish' }
const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
const reduce = (chunks: readonly ChatChunk[]): unknown =>
  JSON.parse(JSON.stringify(chunks.reduce(reduceChunk, initialReduction('msg_1')).message))
const allOf = async (live: LiveStreams, runId = RUN.runId) => (await Array.fromAsync(live.read(runId))).flat()

/** The whole run, by a viewer who takes as many turns of the event queue over each array as `pace` says. */
async function readSlowly(live: LiveStreams, pace: number): Promise<ChatChunk[]> {
  const read: ChatChunk[] = []
  for await (const batch of live.read(RUN.runId)) {
    read.push(...batch)
    for (let turn = 0; turn < pace; turn++) await Promise.resolve()
  }
  return read
}

/** What all live streams answer to. Call it once for each adapter, at the top of a test file. */
export function liveStreamsContract(name: string, open: () => Promise<LiveStreamsFixture>): void {
  describe(name, () => {
    test('LS-2 LS-4 viewers that attach at any moment and read at any pace all get the whole run once', async () => {
      const viewer = fc.record({ attachAt: fc.nat({ max: 60 }), pace: fc.nat({ max: 4 }) })
      await fc.assert(
        fc.asyncProperty(randomChunks(), fc.array(viewer, { maxLength: 6 }), async (chunks, viewers) => {
          await using fixture = await open()
          const { live, elsewhere } = fixture
          const writer = live.open(RUN)
          const attaching = (at: number) =>
            viewers.filter(({ attachAt }) => attachAt === at).map(({ pace }) => readSlowly(elsewhere, pace))
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
      await using fixture = await open()
      const writer = fixture.live.open(RUN)
      writer.append([{ type: 'text-start', id: 't' }, delta('One ')])
      const reader = fixture.elsewhere.read(RUN.runId)[Symbol.asyncIterator]()
      expect((await reader.next()).value).toEqual([{ type: 'text-start', id: 't' }, delta('One ')])
      const next = reader.next()
      writer.append([delta('two')])
      expect((await next).value).toEqual([delta('two')])
      writer.end()
      expect((await reader.next()).done).toBe(true)
    })

    test('LS-2 an unknown run ends at once, and has no session', async () => {
      await using fixture = await open()
      expect(await allOf(fixture.elsewhere)).toEqual([])
      expect(await fixture.elsewhere.sessionOf(RUN.runId)).toBeNull()
      expect(await fixture.elsewhere.current(RUN.sessionId)).toBeNull()
    })

    test('LS-1 a viewer whose signal aborts is detached, and the run and the other viewers continue', async () => {
      await using fixture = await open()
      const { live, elsewhere } = fixture
      const writer = live.open(RUN)
      writer.append([delta('a')])
      const stop = new AbortController()
      const leaving = elsewhere.read(RUN.runId, stop.signal)[Symbol.asyncIterator]()
      const staying = elsewhere.read(RUN.runId)[Symbol.asyncIterator]()
      for (const reader of [leaving, staying]) expect((await reader.next()).value).toEqual([delta('a')])
      const left = leaving.next()
      stop.abort()
      expect((await left).done).toBe(true)
      writer.append([FINISH])
      writer.end()
      expect((await staying.next()).value).toEqual([FINISH])
      expect((await staying.next()).done).toBe(true)
    })

    test('LS-8 a session has the run that was opened last until that one ends', async () => {
      await using fixture = await open()
      const { live, elsewhere } = fixture
      const first = live.open(RUN)
      expect(await elsewhere.current(RUN.sessionId)).toBe(RUN.runId)
      const second = live.open({ ...RUN, runId: 'run_2' })
      first.end()
      expect(await elsewhere.current(RUN.sessionId)).toBe('run_2')
      expect(await elsewhere.sessionOf('run_2')).toBe(RUN.sessionId)
      second.end()
      expect(await elsewhere.current(RUN.sessionId)).toBeNull()
    })

    test('LS-8 the current run and the session of a run are those at the time of the call', async () => {
      await using fixture = await open()
      const { live } = fixture
      const writer = live.open(RUN)
      const asked = [live.current(RUN.sessionId), live.sessionOf(RUN.runId)]
      writer.end()
      live.open({ ...RUN, runId: 'run_2' })
      expect(await Promise.all(asked)).toEqual([RUN.runId, RUN.sessionId])
      expect(await live.current(RUN.sessionId)).toBe('run_2')
    })

    test('LS-8 what comes after the end is dropped, a run has one writer, and its id is never used again', async () => {
      await using fixture = await open()
      const { live, elsewhere } = fixture
      const writer = live.open(RUN)
      expect(() => live.open(RUN)).toThrow(RUN.runId)
      writer.append([FINISH])
      writer.end()
      writer.append([delta('late')])
      writer.end()
      expect(() => live.open(RUN)).toThrow(RUN.runId)
      expect(await allOf(elsewhere)).toEqual([FINISH])
    })

    test('LS-5 a finished run can be read until its grace period has passed', async () => {
      await using fixture = await open()
      const { live, elsewhere } = fixture
      const writer = live.open(RUN)
      writer.append([FINISH])
      writer.end()
      expect(await allOf(elsewhere)).toEqual([FINISH])
      expect(await elsewhere.sessionOf(RUN.runId)).toBe(RUN.sessionId)
      await fixture.passGrace()
      expect(await allOf(elsewhere)).toEqual([])
      expect(await elsewhere.sessionOf(RUN.runId)).toBeNull()
    })
  })
}
