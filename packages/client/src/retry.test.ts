import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryDelay, untilReached } from './retry.ts'
import { refusal, unreachable } from './testing/fake-api.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** A call that meets no server so many times before it has an outcome, and when each attempt was made. */
function flaky(failures: number, outcome: () => Promise<string>) {
  const at: number[] = []
  const call = () => {
    at.push(Date.now())
    return at.length <= failures ? Promise.reject(unreachable()) : outcome()
  }
  return { at, call }
}

test.each([0, 1, 3, 6])(
  'CL-1 a call that meets no server %s times is answered all the same',
  async (failures) => {
    const { at, call } = flaky(failures, () => Promise.resolve('yes'))
    const answer = untilReached(call)
    await vi.runAllTimersAsync()
    expect(await answer).toBe('yes')
    expect(at).toHaveLength(failures + 1)
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('CL-1 the attempts of a call are a tenth of a second apart, then twice as long each time', async () => {
  const { at, call } = flaky(Number.POSITIVE_INFINITY, () => Promise.resolve(''))
  const answer = untilReached(call)
  answer.catch(() => undefined)
  await vi.runAllTimersAsync()
  await expect(answer).rejects.toThrow('socket closed')
  expect(at).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300])
})

test('AP-5 a refusal that comes after lost attempts is reported at once', async () => {
  const no = refusal(404, 'SESSION_NOT_FOUND')
  const { at, call } = flaky(2, () => Promise.reject(no))
  const answer = untilReached(call)
  answer.catch(() => undefined)
  await vi.runAllTimersAsync()
  await expect(answer).rejects.toBe(no)
  expect(at).toHaveLength(3)
})

test('CL-1 the first attempt is made at once', () => {
  const { at, call } = flaky(0, () => Promise.resolve(''))
  void untilReached(call)
  expect(at).toEqual([0])
})

test('AP-2 however many attempts there were, a wait never shortens and never exceeds five seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), (attempt) => {
      expect(retryDelay(attempt)).toBeGreaterThanOrEqual(100)
      expect(retryDelay(attempt)).toBeLessThanOrEqual(5_000)
      expect(retryDelay(attempt + 1)).toBeGreaterThanOrEqual(retryDelay(attempt))
    }),
  )
})
