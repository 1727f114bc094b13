import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Budget, lineCount, rowsOf } from '../exact/shown-lines.ts'
import type { DiffLine } from './diff-lines.ts'
import { allRows, foldedRows } from './shown-diff.ts'

const budget: Budget = { columns: 40, whole: 14, head: 6, tail: 4 }
const of = (kind: DiffLine['kind'], count: number): DiffLine[] =>
  Array.from({ length: count }, (_, at) => ({ kind, text: `${kind} ${at}` }))
const kinds = (lines: readonly DiffLine[]) => foldedRows(lines, budget).map(({ kind }) => kind)

test('PE-8 a short difference is whole', () => {
  const lines = [...of('same', 3), ...of('removed', 4), ...of('added', 4), ...of('same', 3)]
  expect(foldedRows(lines, budget)).toEqual(allRows(lines))
})

test('PE-8 a long difference begins with its changed lines and shows added ones, however many are removed', () => {
  const lines = [...of('same', 4), ...of('removed', 200), ...of('added', 200), ...of('same', 3)]
  const shown = foldedRows(lines, budget)
  expect(kinds(lines).slice(0, 3)).toEqual(['folded', 'same', 'removed'])
  expect(shown.filter(({ kind }) => kind === 'added').length).toBeGreaterThanOrEqual(3)
})

const hunks = fc
  .array(
    fc.record({
      kind: fc.constantFrom('same', 'removed', 'added', 'note', 'gap'),
      count: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 12 },
  )
  .map((runs) => runs.flatMap(({ kind, count }) => of(kind, kind === 'gap' ? 1 : count)))

test('PE-8 of any difference no line is lost, folded ones are counted, and an added line is shown where there is one', () => {
  fc.assert(
    fc.property(hunks, (lines) => {
      const count = (rows: ReturnType<typeof allRows>) =>
        rows.reduce((sum, { kind, line }) => sum + (kind === 'gap' ? 0 : lineCount(line)), 0)
      const shown = foldedRows(lines, budget)
      expect(count(shown)).toBe(lines.filter(({ kind }) => kind !== 'gap').length)
      expect(count(allRows(lines))).toBe(count(shown))
      const added = (rows: ReturnType<typeof allRows>) => rows.some(({ kind }) => kind === 'added')
      expect(added(shown)).toBe(added(allRows(lines)))
      const rows = shown.reduce((sum, { line }) => sum + rowsOf(line, budget.columns), 0)
      expect(rows).toBeLessThanOrEqual(budget.whole * 3)
    }),
  )
})

test('PE-8 blank lines in a row of one kind are named, those of two kinds are not one', () => {
  const blank = (kind: DiffLine['kind'], count: number) =>
    Array.from({ length: count }, () => ({ kind, text: '' }))
  expect(
    allRows([...blank('added', 12), ...blank('same', 2)]).map(({ kind, line }) => [kind, line.kind]),
  ).toEqual([
    ['added', 'blank'],
    ['same', 'line'],
    ['same', 'line'],
  ])
})
