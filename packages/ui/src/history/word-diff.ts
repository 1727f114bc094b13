import { diffArrays } from 'diff'

/** A stretch of a text: in both texts, or in this one only. */
export type DiffPiece = { text: string; only: boolean }

export type WordDiff = { left: readonly DiffPiece[]; right: readonly DiffPiece[] }

/** Characters of two texts together above which they are not compared. */
const LONGEST = 200_000
/** Milliseconds that a comparison may take. */
const TIMEOUT_MS = 300

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Compares two texts word by word; null when they are too long or differ too much to do so in time. */
export function wordDiff(left: string, right: string, timeout = TIMEOUT_MS): WordDiff | null {
  if (left.length + right.length > LONGEST) return null
  const changes = diffArrays(wordsOf(left), wordsOf(right), { timeout })
  if (changes === undefined) return null
  const pieces = changes.map(({ value, added, removed }) => ({ text: value.join(''), added, removed }))
  return {
    left: pieces.filter(({ added }) => !added).map(({ text, removed }) => ({ text, only: removed })),
    right: pieces.filter(({ removed }) => !removed).map(({ text, added }) => ({ text, only: added })),
  }
}

/** Words, and the spaces and signs between them. */
function wordsOf(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment)
}

/** How many words of a text the other one lacks. */
export function wordsOnlyHere(pieces: readonly DiffPiece[]): number {
  const only = pieces.filter((piece) => piece.only).map(({ text }) => text)
  return only.reduce(
    (sum, text) => sum + [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length,
    0,
  )
}
