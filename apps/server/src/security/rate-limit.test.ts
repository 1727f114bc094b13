import { expect, onTestFinished, test, vi } from 'vitest'
import { SERVER_LIMITS } from '../limits.ts'
import { createRateLimits } from './rate-limit.ts'

const MINUTE_MS = 60_000
const MOST = SERVER_LIMITS.wrongTokensPerMinute

function fakeTimers() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

test('SX-6 requests are counted by address, and one address takes nothing from another', async () => {
  const limits = createRateLimits(3)
  for (const _ of [1, 2, 3]) await limits.request('10.0.0.1')
  await expect(limits.request('10.0.0.1')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('PALIMPSEST_RATE_LIMIT'),
  })
  await limits.request('10.0.0.2')
})

test('SX-6 a minute later an address may ask again', async () => {
  fakeTimers()
  const limits = createRateLimits(1)
  await limits.request('10.0.0.1')
  await expect(limits.request('10.0.0.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  vi.advanceTimersByTime(MINUTE_MS - 1)
  await expect(limits.request('10.0.0.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  vi.advanceTimersByTime(1)
  await limits.request('10.0.0.1')
})

test('SX-6 with no limit nothing is counted', async () => {
  const limits = createRateLimits(0)
  for (let request = 0; request < 1000; request++) await limits.request('10.0.0.1')
})

test('SX-6 right tokens are never counted, however many there are', async () => {
  const limits = createRateLimits(0)
  for (let time = 0; time < 5 * MOST; time++) expect(await limits.tryToken('10.0.0.1', () => true)).toBe(true)
})

test('SX-6 after too many wrong tokens not even the right one is looked at, until a minute has gone by', async () => {
  fakeTimers()
  const limits = createRateLimits(0)
  for (let time = 0; time < MOST; time++) {
    expect(await limits.tryToken('10.0.0.1', () => false)).toBe(false)
  }
  const look = vi.fn(() => true)
  await expect(limits.tryToken('10.0.0.1', look)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(look).not.toHaveBeenCalled()
  expect(await limits.tryToken('10.0.0.2', look)).toBe(true)
  vi.advanceTimersByTime(MINUTE_MS)
  expect(await limits.tryToken('10.0.0.1', look)).toBe(true)
})
