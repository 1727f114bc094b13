import { expect, test } from 'vitest'
import { textOf, wordFor } from './library/words.ts'
import { FULL, QUICK } from './profile.ts'
import { fromPrompt, now, stamp, toPrompt } from './script.ts'
import { summarize } from './statistics.ts'
import { megabytes, ms, type Row, replaceFigures, spread, table, times } from './table.ts'

const row = (over: Partial<Row> = {}): Row => ({
  rule: 'PF-1',
  what: 'first delta',
  bare: '1 ms',
  ours: '2 ms',
  result: '+1 ms',
  goal: '≤ 5 ms',
  holds: true,
  ...over,
})

test('PF-1 the table is one line a row, every column as wide as its widest cell', () => {
  const lines = table([
    row(),
    row({ what: 'something much longer', holds: false }),
    row({ holds: null }),
  ]).split('\n')
  expect(lines).toHaveLength(5)
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  expect(lines.map((line) => line.split('|').length)).toEqual([9, 9, 9, 9, 9])
  expect(lines.slice(2).map((line) => line.slice(-5))).toEqual(
    ['| ok |', '| NO |', '|    |'].map((end) => end.slice(-5)),
  )
})

test('PF-10 a peer has a column where one was measured', () => {
  const [head, , first, second] = table([row({ peer: '9 ms' }), row()]).split('\n')
  expect(head).toContain('| ours | peer |')
  expect(first).toContain('| 2 ms | 9 ms |')
  expect(second).toContain('| 2 ms |      |')
})

test('PF-1 an empty table is its head', () => {
  expect(table([]).split('\n')).toHaveLength(2)
})

test('PF-1 figures are as exact as they are small', () => {
  expect([0, 1.234, 9.999, 12.34, 99.94, 123.4].map(ms)).toEqual([
    '0.00 ms',
    '1.23 ms',
    '10.00 ms',
    '12.3 ms',
    '99.9 ms',
    '123 ms',
  ])
  expect([times(1), times(0.456)]).toEqual(['1.00 ×', '0.46 ×'])
  expect(megabytes(1024 * 1024 * 1.6)).toBe('2 MB')
  expect(spread({ min: 1, median: 2, max: 3 }, times)).toBe('1.00 × / 2.00 × / 3.00 ×')
})

test('PF-1 a summary of one figure is that figure, and of any order the same', () => {
  expect(summarize([7])).toEqual({ min: 7, median: 7, p95: 7, p99: 7, max: 7 })
  const values = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(summarize(values)).toEqual({ min: 1, median: 50, p95: 95, p99: 99, max: 100 })
  expect(summarize(values.toReversed())).toEqual(summarize(values))
  expect(summarize([]).median).toBeNaN()
})

test('PF-2 a prompt round-trips to its script, and other texts have none', () => {
  const script = { deltas: 5, everyMs: 2, stamped: true as const }
  expect(fromPrompt(toPrompt(script))).toEqual(script)
  for (const text of ['', 'hello', 'BENCH:{}', ' bench:{}']) expect(fromPrompt(text)).toBeNull()
})

test('PF-3 a delta carries the time it was sent at, to a hundredth of a millisecond', () => {
  const before = now()
  const sent = Number(stamp())
  expect(sent).toBeGreaterThanOrEqual(before - 0.01)
  expect(sent).toBeLessThanOrEqual(now() + 0.01)
  expect(stamp()).toMatch(/^\d+\.\d\d $/)
})

test('PF-5 the texts of a library are the same each time, differ from one another, and their words have uneven frequencies', () => {
  expect(textOf(3, 50)).toBe(textOf(3, 50))
  expect(textOf(3, 50)).not.toBe(textOf(4, 50))
  expect(textOf(1, 50).split(' ')).toHaveLength(50)
  const frequent = new Map<string, number>()
  for (const word of Array.from({ length: 200 }, (_, text) => textOf(text, 50))
    .join(' ')
    .split(' ')) {
    frequent.set(word, (frequent.get(word) ?? 0) + 1)
  }
  const counts = [...frequent.values()].toSorted((a, b) => b - a)
  const tenth = counts.slice(0, Math.ceil(counts.length / 10)).reduce((sum, count) => sum + count, 0)
  expect(tenth).toBeGreaterThan(10_000 * 0.35)
  expect([wordFor(0), wordFor(0.999_999)].every((word) => /^[a-z]{6}$/.test(word))).toBe(true)
})

test('PF-9 the quick profile measures the same as the full one, with smaller sizes', () => {
  expect(Object.keys(QUICK).toSorted()).toEqual(Object.keys(FULL).toSorted())
  expect(QUICK.firstDelta.samples).toBeLessThan(FULL.firstDelta.samples)
})

test('PF-9 the figures of a run replace those between the marks of a page, and nothing else of it', () => {
  const page = 'Before\n<!-- figures of one run -->\n\nold\n\n<!-- end of the figures -->\nAfter\n'
  const once = replaceFigures(page, 'new')
  expect(once).toBe(page.replace('old', 'new'))
  expect(replaceFigures(once, 'old')).toBe(page)
  expect(() => replaceFigures('No marks', 'new')).toThrow('no place')
})
