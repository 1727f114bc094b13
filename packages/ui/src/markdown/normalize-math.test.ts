import { expect, test } from 'vitest'
import { normalizeMath } from './normalize-math.ts'

test('UI-6 TeX in brackets is set as a formula', () => {
  expect(normalizeMath('so \\(a+b\\) and \\[c\\]')).toBe('so $$a+b$$ and \n$$\nc\n$$\n')
})

test('UI-6 brackets inside code are left as they are', () => {
  const code = 'a `\\(x\\)` b\n\n```\n\\[y\\]\n```'
  expect(normalizeMath(code)).toBe(code)
})
