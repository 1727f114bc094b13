import { expect, test } from 'vitest'
import { foundText } from './found-text.ts'

test('UI-1 what a search has found stands near the beginning of its line', () => {
  expect(foundText('the \u0002minute\u0003 hand of a \u0002minute\u0003')).toBe('the minute hand of a minute')
  const far = 'a long way before anything is said of \u0002minutes\u0003 and hours'
  expect(foundText(far)).toBe('…is said of minutes and hours')
  expect(foundText(`${'x'.repeat(200)}\u0002y\u0003`)).toBe(`…${'x'.repeat(16)}y`)
  expect(foundText('no mark')).toBe('no mark')
})
