import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextWindow, RESERVE_TOKENS } from './context-window.ts'

const limit = fc.option(fc.nat({ max: 2_000_000 }))

test('MO-4 an unknown limit reads unknown and nothing is derived from it', () => {
  expect(contextWindow(5_000, false, { contextLimit: null, maxOutput: 4_096 })).toEqual({
    used: 5_000,
    limit: null,
    usable: null,
    estimated: false,
  })
})

test('US-4 the usable window is the limit less the reserve for a reply, and at least half of the limit', () => {
  fc.assert(
    fc.property(fc.nat(), limit, limit, (used, contextLimit, maxOutput) => {
      const window = contextWindow(used, true, { contextLimit, maxOutput })
      const longest = maxOutput ?? Math.floor((contextLimit ?? 0) / 4)
      const reserve = Math.min(RESERVE_TOKENS, longest)
      const usable =
        contextLimit === null ? null : Math.max(Math.ceil(contextLimit / 2), contextLimit - reserve)
      expect(window).toEqual({ used, limit: contextLimit, usable, estimated: true })
    }),
  )
})

test('CP-9 a configured reserve takes the place of the usual one', () => {
  const limits = { contextLimit: 100_000, maxOutput: 8_000 }
  expect(contextWindow(0, false, limits, 30_000).usable).toBe(70_000)
  expect(contextWindow(0, false, limits, 0).usable).toBe(100_000)
  expect(contextWindow(0, false, limits, 90_000).usable).toBe(50_000)
})
