import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfter } from './retry-after.ts'

const NOW = Date.UTC(2026, 10, 1, 12, 0, 0)

test('ST-4 retry-after is read in milliseconds, in seconds and as an HTTP date', () => {
  expect(retryAfter({ 'retry-after-ms': '250' }, '', NOW)).toBe(250)
  expect(retryAfter({ 'retry-after': '2' }, '', NOW)).toBe(2000)
  expect(retryAfter({ 'retry-after': '0.5' }, '', NOW)).toBe(500)
  expect(retryAfter({ 'retry-after': 'Sun, 01 Nov 2026 12:00:07 GMT' }, '', NOW)).toBe(7000)
})

test('ST-4 milliseconds win over seconds, and a date that has passed means at once', () => {
  expect(retryAfter({ 'retry-after-ms': '1500', 'retry-after': '2' }, '', NOW)).toBe(1500)
  expect(retryAfter({ 'retry-after': 'Sun, 01 Nov 2026 11:00:00 GMT' }, '', NOW)).toBe(0)
})

test('ST-4 a wait that a provider only states in its message is found', () => {
  expect(retryAfter({}, 'Rate limit reached. Please try again in 1.5s.', NOW)).toBe(1500)
  expect(retryAfter({}, 'Please try again in 20ms. Visit', NOW)).toBe(20)
  expect(retryAfter({}, 'Please try again in 2m30s.', NOW)).toBe(150_000)
  expect(retryAfter({}, '{"@type":"RetryInfo","retryDelay": "34s"}', NOW)).toBe(34_000)
})

test('ST-4 nonsense in the headers asks for no wait', () => {
  for (const value of ['', 'soon', '-5', '1e9999', 'NaN']) {
    expect(retryAfter({ 'retry-after': value, 'retry-after-ms': value }, '', NOW)).toBeUndefined()
  }
})

test('ST-4 for any header of a provider, the wait is undefined or a number not below 0', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (ms, seconds, text) => {
      const wait = retryAfter({ 'retry-after-ms': ms, 'retry-after': seconds }, text, NOW)
      if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0)
    }),
  )
})
