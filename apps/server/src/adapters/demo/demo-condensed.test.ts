import { expect, test } from 'vitest'
import {
  CONDENSE_INSTRUCTIONS,
  condenseRequest,
} from '../../../../../packages/core/src/history/condensing/condense-prompt.ts'
import { condensedOf, wantsCondensed } from './demo-condensed.ts'

const output = Array.from({ length: 40 }, (_, line) => `Line ${line}`).join('\n\n')
const asked = condenseRequest({ tool: 'read', input: { path: 'a.md' }, output }, 100_000)

test('MO-5 what asks for a condensed output is known by its instructions and its form', () => {
  expect(wantsCondensed(CONDENSE_INSTRUCTIONS, asked, 0)).toBe(true)
  expect(wantsCondensed(CONDENSE_INSTRUCTIONS, asked, 1)).toBe(false)
  expect(wantsCondensed(CONDENSE_INSTRUCTIONS, 'Condense this', 0)).toBe(false)
  expect(wantsCondensed('You are an assistant.', asked, 0)).toBe(false)
})

test('MO-5 a condensed output is its beginning, and says what it lacks', () => {
  const condensed = condensedOf(asked)
  expect(condensed.split('\n').slice(0, 2)).toEqual(['Line 0', 'Line 1'])
  expect(condensed).toMatch(/… 35 more lines\..* I am the demo model/)
  expect(condensed).not.toContain('Line 5')
})
