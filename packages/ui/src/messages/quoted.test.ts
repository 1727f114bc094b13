import { expect, test } from 'vitest'
import { quoted } from './quoted.ts'

test.each([
  ['A boat', '“A boat”'],
  ['Why “boat”?', '“Why ‘boat’?”'],
  ['Why "boat" and "oar"?', '“Why ‘boat’ and ‘oar’?”'],
])('UI-18 what is quoted keeps its own quotation marks apart: %s', (text, words) => {
  expect(quoted(text)).toBe(words)
})
