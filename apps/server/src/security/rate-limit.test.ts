import { expect, onTestFinished, test, vi } from 'vitest'
import { SERVER_LIMITS } from '../limits.ts'
import { createRateLimits } from './rate-limit.ts'

const MINUTE_MS = 60_000
const MOST = SERVER_LIMITS.wrongTokensPerMinute

function fakeTimers() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

test('SX-6 requests are counted by address, and addresses do not affect each other', async () => {
  const limits = createRateLimits(3)
  for (const _ of [1, 2, 3]) await limits.request('10.0.0.1', 1, true)
  await expect(limits.request('10.0.0.1', 1, true)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('PALIMPSEST_RATE_LIMIT'),
  })
  await limits.request('10.0.0.2', 1, true)
})

test('SX-6 a minute later an address may call again', async () => {
  fakeTimers()
  const limits = createRateLimits(1)
  await limits.request('10.0.0.1', 1, true)
  await expect(limits.request('10.0.0.1', 1, true)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  vi.advanceTimersByTime(MINUTE_MS - 1)
  await expect(limits.request('10.0.0.1', 1, true)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  vi.advanceTimersByTime(1)
  await limits.request('10.0.0.1', 1, true)
})

test('SX-6 with no limit nothing is counted', async () => {
  const limits = createRateLimits(0)
  for (let request = 0; request < 1000; request++) await limits.request('10.0.0.1', 1, true)
})

test('SX-6 each call of a batch counts', async () => {
  const limits = createRateLimits(10)
  await limits.request('10.0.0.1', 9, true)
  await expect(limits.request('10.0.0.1', 2, true)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('SX-6 requests without the secret do not use up the rate of those with it', async () => {
  const limits = createRateLimits(1)
  await limits.request('10.0.0.1', 1, false)
  await expect(limits.request('10.0.0.1', 1, false)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await limits.request('10.0.0.1', 1, true)
})

test('SX-6 wrong secrets are counted by address for a minute', async () => {
  fakeTimers()
  const limits = createRateLimits(0)
  for (let time = 0; time < MOST; time++) await limits.wrongSecret('10.0.0.1')
  await expect(limits.wrongSecret('10.0.0.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await limits.wrongSecret('10.0.0.2')
  vi.advanceTimersByTime(MINUTE_MS)
  await limits.wrongSecret('10.0.0.1')
})
