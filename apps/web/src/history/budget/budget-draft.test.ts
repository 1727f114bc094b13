import { BUDGET_LIMITS, type BudgetLimits } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftOf, limitsOf, shownLimit } from './budget-draft.ts'

test('BU-1 a time is entered in minutes, and an empty field is no limit', () => {
  const draft = { run: { max_duration: '1.5', max_tokens: ' ' }, session: { max_cost: '0.25' } }
  expect(limitsOf(draft)).toEqual({ run: { max_duration: 90_000 }, session: { max_cost: 0.25 } })
  expect(shownLimit('max_duration', 90_000)).toBe('1.5')
  expect(shownLimit('max_tokens', null)).toBe('')
})

test('BU-1 a number may have separators', () => {
  expect(limitsOf({ session: { max_tokens: '2,000,000' } })?.session).toEqual({ max_tokens: 2_000_000 })
})

test.for(['0', '-1', 'ten', '1e9', '1.5', '9999999999999999', '0x10'])(
  'BU-1 %s is no limit of tokens, and nothing of the draft is saved',
  (max_tokens) => {
    expect(limitsOf({ run: { max_cost: '5' }, session: { max_tokens } })).toBeNull()
  },
)

test('BU-1 the fields of any limits give the same limits back', () => {
  const whole = fc.integer({ min: 1, max: 1e9 })
  const budget = fc.record(
    {
      max_tokens: whole,
      max_tool_calls: whole,
      max_cost: whole.map((cents) => cents / 100),
      max_duration: fc.integer({ min: 1, max: 10_000 }).map((minutes) => minutes * 60_000),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(budget, budget, (run, session) => {
      const limits: BudgetLimits = { run, session }
      expect(limitsOf(draftOf(limits))).toEqual(limits)
      expect(Object.keys(draftOf(limits).run ?? {})).toEqual([...BUDGET_LIMITS])
    }),
  )
})
