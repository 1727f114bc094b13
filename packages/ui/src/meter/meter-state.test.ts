import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MeterState, meterState } from './meter-state.ts'

const window = (used: number, limit: number | null) => ({ used, limit, usable: limit, estimated: false })

test.each<[string, number, number | null, MeterState]>([
  ['nothing used', 0, 100_000, { share: 0, level: 'calm' }],
  ['one token less than high', 69_999, 100_000, { share: 0.699_99, level: 'calm' }],
  ['an unknown limit', 42_000, null, { share: null, level: 'unknown' }],
  ['an unknown limit and nothing used', 0, null, { share: null, level: 'unknown' }],
  ['a limit of nothing', 42_000, 0, { share: null, level: 'unknown' }],
  ['a limit below nothing', 42_000, -1, { share: null, level: 'unknown' }],
  ['a limit of one token', 1, 1, { share: 1, level: 'full' }],
])('UI-14 the state of a window with %s', (_, used, limit, state) => {
  expect(meterState(window(used, limit))).toEqual(state)
})

test('UI-14 the level follows the limit of the model and not what is usable of it', () => {
  const tight = { used: 60_000, limit: 100_000, usable: 50_000, estimated: false }
  expect(meterState(tight).level).toBe('calm')
})

test('UI-14 a larger limit never makes a window look fuller', () => {
  const limit = fc.integer({ min: 1, max: 2_000_000 })
  fc.assert(
    fc.property(fc.nat(300_000), limit, limit, (used, a, b) => {
      const small = meterState(window(used, Math.min(a, b))).share ?? 0
      expect(meterState(window(used, Math.max(a, b))).share).toBeLessThanOrEqual(small)
    }),
  )
})

test('UI-14 a share is a number wherever the limit is known', () => {
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.integer({ min: -5, max: 300_000 })), (used, limit) => {
      const { share, level } = meterState(window(used, limit))
      expect(share === null).toBe(level === 'unknown')
      if (share !== null) expect(share >= 0 && share <= 1).toBe(true)
    }),
  )
})
