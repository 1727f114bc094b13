import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { lease } from '@palimpsest/testing/store-contract/fixtures.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import { LEASE_MS } from '../domain/stream/run-log.ts'
import { BEAT_MS, BEAT_RETRY_MS, createClaimBeat, HOLD_MS } from './claim-beat.ts'

type Renew = (runIds: string[]) => Promise<string[]>

/** A beat on a clock that tests advance, and the calls that it made of the store. */
async function openBeat(renew: Renew = async (runIds) => runIds) {
  const clock = createFakeClock()
  const calls: { at: number; runIds: string[] }[] = []
  const state = { renew }
  const store = withRuns(await createMemoryStore(), () => ({
    renew(runIds) {
      calls.push({ at: clock.elapsed(), runIds })
      return state.renew(runIds)
    },
  }))
  const beat = createClaimBeat({ store, clock, logger: silentLogger })
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await clock.turn()
    }
  }
  return { clock, beat, calls, state, pass }
}

const [one, two] = [lease('a', 1), lease('b', 1)]
const refuse = () => Promise.reject(new Error('No answer'))
const never = () => Promise.withResolvers<string[]>().promise

test('DA-17 the beat starts with the first claim, renews all with one call each 3 s, and stops with the last', async () => {
  const { clock, beat, calls, pass } = await openBeat()
  await pass(2 * BEAT_MS)
  expect(calls).toEqual([])
  const signals = [one, two].map((run) => beat.hold(run, clock.elapsed()))
  await pass(2 * BEAT_MS)
  const both = [one.runId, two.runId]
  expect(calls).toEqual([3, 4].map((place) => ({ at: place * BEAT_MS, runIds: both })))
  beat.release(one.runId)
  await pass(BEAT_MS)
  expect(calls.at(-1)?.runIds).toEqual([two.runId])
  beat.release(two.runId)
  expect(clock.pending).toBe(0)
  await pass(2 * BEAT_MS)
  expect(calls).toHaveLength(3)
  expect(signals.some(({ aborted }) => aborted)).toBe(false)
})

test('DA-17 the beat waits by timers that never keep the process alive, and ends with its host', async () => {
  const clock = createFakeClock()
  const sleepless = { ...clock, sleep: () => Promise.reject(new Error('Slept')) }
  const store = await createMemoryStore()
  const beat = createClaimBeat({ store, clock: sleepless, logger: silentLogger })
  const lost = beat.hold(one, clock.elapsed())
  expect(clock.pending).toBe(2)
  beat[Symbol.dispose]()
  expect(clock.pending).toBe(0)
  clock.advance(LEASE_MS)
  expect(lost.aborted).toBe(false)
})

test('DA-17 a renewal that fails is tried again each 500 ms, and one that succeeds in time keeps the claim', async () => {
  const { clock, beat, calls, state, pass } = await openBeat(refuse)
  const lost = beat.hold(one, clock.elapsed())
  await pass(HOLD_MS - 2 * BEAT_RETRY_MS)
  expect(calls.map(({ at }) => at).slice(0, 3)).toEqual([
    BEAT_MS,
    BEAT_MS + BEAT_RETRY_MS,
    BEAT_MS + 2 * BEAT_RETRY_MS,
  ])
  state.renew = async (runIds) => runIds
  await pass(2 * HOLD_MS)
  expect(lost.aborted).toBe(false)
})

test.for([
  ['fails', refuse],
  ['never answers', never],
] as const)('DA-17 a claim is lost before it expires when the store %s', async ([, renew]) => {
  const { clock, beat, pass } = await openBeat(renew)
  const lost = beat.hold(one, clock.elapsed())
  clock.jump(-3_600_000)
  await pass(HOLD_MS - 100)
  expect(lost.aborted).toBe(false)
  await pass(100)
  expect(lost.reason).toMatchObject({ code: 'STORE_ERROR' })
  expect(HOLD_MS).toBeLessThan(LEASE_MS)
  await pass(LEASE_MS)
  expect(clock.pending).toBe(0)
})

test('DA-17 the time of a claim counts from when it was made, however long the store took to make it', async () => {
  const { clock, beat, calls, pass } = await openBeat(never)
  await pass(5_000)
  const lost = beat.hold(one, 0)
  expect(calls).toHaveLength(1)
  await pass(HOLD_MS - 5_000 - 100)
  expect(lost.aborted).toBe(false)
  await pass(100)
  expect(lost.aborted).toBe(true)
  expect(clock.pending).toBe(0)
})

test('DA-17 a host that was blocked or asleep for an hour keeps the claims that the store still holds as its own', async () => {
  const { clock, beat, pass } = await openBeat(async (runIds) => runIds.filter((id) => id !== one.runId))
  const [taken, kept] = [one, two].map((run) => beat.hold(run, clock.elapsed()))
  clock.advance(3_600_000)
  await pass(LEASE_MS)
  expect(taken?.reason).toMatchObject({ code: 'SESSION_NOT_RUNNING' })
  expect(kept?.aborted).toBe(false)
})

test('DA-17 a claim that the store no longer has is lost with the next beat, and the others stay', async () => {
  const { clock, beat, pass } = await openBeat(async (runIds) => runIds.filter((id) => id !== one.runId))
  const [gone, kept] = [one, two].map((run) => beat.hold(run, clock.elapsed()))
  await pass(BEAT_MS)
  expect(gone?.reason).toMatchObject({ code: 'SESSION_NOT_RUNNING' })
  await pass(LEASE_MS)
  expect(kept?.aborted).toBe(false)
})
