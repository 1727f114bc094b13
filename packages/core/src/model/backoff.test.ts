import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('ST-4 the wait starts at 500 ms and doubles', () => {
  expect([1, 2, 3, 4].map((attempt) => backoff(attempt, 0.5))).toEqual([500, 1000, 2000, 4000])
})

test('ST-4 the wait is always within 10 % of its nominal length and never over 30 s', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), random, (attempt, luck) => {
      const nominal = Math.min(30_000, 500 * 2 ** (attempt - 1))
      const wait = backoff(attempt, luck)
      expect(wait).toBeGreaterThanOrEqual(Math.floor(nominal * 0.9))
      expect(wait).toBeLessThanOrEqual(Math.min(30_000, Math.ceil(nominal * 1.1)))
    }),
  )
})

test('ST-4 a wait that the provider named replaces our own, up to 15 minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), random, fc.nat({ max: 900_000 }), (attempt, luck, wish) => {
      expect(backoff(attempt, luck, wish)).toBe(wish)
    }),
  )
  expect(backoff(1, 0.5, Number.MAX_SAFE_INTEGER)).toBe(900_000)
  expect(backoff(1, 0.5, -5)).toBe(0)
})
