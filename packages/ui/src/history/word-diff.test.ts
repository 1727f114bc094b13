import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffPiece, wordDiff, wordsOnlyHere } from './word-diff.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('ink', 'wax', ' ', ', ', '東京', '\n'), { maxLength: 12 })
    .map((words) => words.join('')),
)

const joined = (pieces: readonly DiffPiece[]) => pieces.map((piece) => piece.text).join('')
const shared = (pieces: readonly DiffPiece[]) => joined(pieces.filter(({ only }) => !only))

test('UI-34 each side of a word diff is its text, and what both have is the same on both', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const diff = wordDiff(left, right, 60_000)
      expect(diff && [joined(diff.left), joined(diff.right)]).toEqual([left, right])
      expect(diff && shared(diff.left)).toBe(diff && shared(diff.right))
    }),
  )
})

test('UI-34 equal texts have no word that the other lacks', () => {
  fc.assert(
    fc.property(text, (same) => {
      const diff = wordDiff(same, same, 60_000)
      expect(diff?.left.some(({ only }) => only)).toBe(false)
    }),
  )
})

test('UI-34 the words that only one answer has are counted', () => {
  const diff = wordDiff('Iron gall ink is black.', 'Iron gall ink is dark brown.')
  expect(diff?.left.filter(({ only }) => only)).toEqual([{ text: 'black', only: true }])
  expect([wordsOnlyHere(diff?.left ?? []), wordsOnlyHere(diff?.right ?? [])]).toEqual([1, 2])
})

test('UI-34 texts that are too long, or that differ too much for the time there is, are not compared', () => {
  expect(wordDiff('x'.repeat(200_001), 'y')).toBeNull()
  const many = (name: string) => Array.from({ length: 10_000 }, (_, at) => `${name}${at}`).join(' ')
  expect(wordDiff(many('a'), many('b'), 1)).toBeNull()
})
