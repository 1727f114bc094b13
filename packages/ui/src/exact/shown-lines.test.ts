import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawnLength, type ExactPiece, exactPieces } from './exact-pieces.ts'
import { allLines, type Budget, foldedLines, foldPlaces, hasFolds, lineCount, rowsOf } from './shown-lines.ts'

const budget: Budget = { columns: 20, whole: 12, head: 5, tail: 3 }

const words = (pieces: readonly ExactPiece[]) =>
  pieces.map((piece) => (piece.kind === 'blanks' ? `[${piece.count} ${piece.of}]` : piece.text)).join('')

test.each([
  ['many spaces between words', `ls${' '.repeat(500)}; rm x`, 'ls[500 spaces]; rm x'],
  ['blanks at the end', 'ls \t', 'ls[2 blanks]'],
  ['one space at the end', 'ls ', 'ls[1 spaces]'],
  ['a line of tabs', '\t\t', '[2 tabs]'],
  ['a deep indentation', `${' '.repeat(41)}x`, '[41 spaces]x'],
  ['unseen characters', 'a\u202E\u200Bb', 'a\\u{202e}\\u{200b}b'],
])('PE-8 %s are named or spelled', (_, line, shown) => {
  expect(words(exactPieces(line))).toBe(shown)
})

test.each(['', 'ls -l  x', `${' '.repeat(40)}x`, `a${' '.repeat(16)}b`, '\t\tif (x) {'])(
  'PE-8 the line %j is drawn as it is',
  (line) => {
    expect(exactPieces(line)).toEqual(line === '' ? [] : [{ kind: 'text', text: line }])
  },
)

test('PE-8 letters that are read from right to left turn nothing that is between them', () => {
  expect(exactPieces('cp אב; rm גד').map(({ kind }) => kind)).toEqual(['text', 'rtl', 'text', 'rtl'])
  expect(exactPieces('א\u061Cב').map(({ kind }) => kind)).toEqual(['rtl', 'code', 'rtl'])
})

test('PE-8 a line of a million unseen characters between letters has few pieces and is whole', () => {
  const pieces = exactPieces('a\u202E'.repeat(500_000))
  expect(pieces.length).toBeLessThan(3_000)
  expect(words(pieces)).toBe('a\\u{202e}'.repeat(500_000))
})

test('PE-8 three blank lines in a row are named, two are drawn', () => {
  expect(allLines('a\n\n\nb\n\n \n\nc').map(({ kind }) => kind)).toEqual([
    'line',
    'line',
    'line',
    'line',
    'blank',
    'line',
  ])
})

const text = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constant(''),
      fc.nat(300).map((n) => 'x'.repeat(n)),
    ),
    { maxLength: 60 },
  )
  .map((lines) => lines.join('\n'))

test('PE-8 of any text no line is lost: those that are shown, named and folded are all', () => {
  fc.assert(
    fc.property(text, (value) => {
      const all = value.split('\n').length
      for (const lines of [allLines(value), foldedLines(value, budget)])
        expect(lines.reduce((sum, line) => sum + lineCount(line), 0)).toBe(all)
      expect(hasFolds(allLines(value))).toBe(false)
    }),
  )
})

test('PE-8 a text within the budget is whole, and one above it shows its first and its last line in few rows', () => {
  fc.assert(
    fc.property(text, (value) => {
      const [all, shown] = [allLines(value), foldedLines(value, budget)]
      const rows = all.reduce((sum, line) => sum + rowsOf(line, budget.columns), 0)
      if (rows <= budget.whole) {
        expect(shown).toEqual(all)
        return
      }
      const [first, last] = [all[0], all.at(-1)]
      if (first?.kind === 'line' && rowsOf(first, budget.columns) < 4) expect(shown[0]).toEqual(first)
      if (last?.kind === 'line' && rowsOf(last, budget.columns) < 4) expect(shown.at(-1)).toEqual(last)
      expect(shown.reduce((sum, line) => sum + rowsOf(line, budget.columns), 0)).toBeLessThanOrEqual(
        budget.whole + 5,
      )
    }),
  )
})

test('PE-8 the parts of a long line and the number of folded characters are the whole line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 200, maxLength: 600 }), (line) => {
      fc.pre(!line.includes('\n'))
      const [shown] = foldedLines(line, { ...budget, whole: 1 })
      if (shown?.kind !== 'long') return
      const { head, count, tail } = shown
      expect(drawnLength(head) + count + drawnLength(tail)).toBe(drawnLength(exactPieces(line)))
      const whole = words(exactPieces(line))
      expect([whole.startsWith(words(head)), whole.endsWith(words(tail))]).toEqual([true, true])
    }),
    { numRuns: 20 },
  )
})

test('PE-8 a fold hides at least one item and leaves at least one at each end', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (rows) => {
      const places = foldPlaces(rows, budget)
      if (places === null) {
        expect(rows.length < 3 || rows.reduce((a, b) => a + b, 0) <= 12).toBe(true)
        return
      }
      expect(places.head).toBeGreaterThan(0)
      expect(places.tail).toBeGreaterThan(0)
      expect(places.head + places.tail).toBeLessThan(rows.length)
    }),
  )
})

test('PE-8 of 100,000 lines those from the five thousandth on are one text, and head and tail are found at once', () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `line ${at}\u202E`).join('\n')
  const [opened, folded] = [allLines(text), foldedLines(text, budget)]
  expect(opened.length).toBe(5_001)
  const rest = opened.at(-1)
  expect(rest?.kind === 'rest' && rest.text.endsWith('line 99999\\u{202e}')).toBe(true)
  expect(folded.find(({ kind }) => kind === 'folded')).toEqual({ kind: 'folded', count: 100_000 - 8 })
})
