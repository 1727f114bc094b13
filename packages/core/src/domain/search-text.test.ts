import { expect, test } from 'vitest'
import { searchableText, searchWords } from './search-text.ts'

test('SX-10 a word of megabytes is cut into words of 256 characters', () => {
  const words = searchWords('a'.repeat(8_000_000))
  expect(words).toHaveLength(31_250)
  expect(words[0]).toBe('a'.repeat(256))
  expect(searchWords(`e${'\u0301'.repeat(1_000_000)}`)).toEqual(['e'])
})

test('SX-10 of a message the first million characters are searched', () => {
  const text = (length: number) => searchableText([{ type: 'text', text: 'a'.repeat(length) }])
  expect(text(1_000_000)).toHaveLength(1_000_000)
  expect(text(1_000_001)).toHaveLength(1_000_000)
})
