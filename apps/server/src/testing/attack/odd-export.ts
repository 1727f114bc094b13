import fc from 'fast-check'
import { changedAt, hostileValue, oddNumber, oddText, pathsOf } from './hostile-values.ts'

/** A line of an export, its JSON columns as values. */
export type Row = { type: string; data: Record<string, unknown>; rows?: unknown }

/** A change to the rows of an export; `at` numbers choose among the rows. */
export type Oddity =
  | { do: 'set'; row: number; path: number; value: unknown }
  | { do: 'borrow'; row: number; path: number; from: number }
  | { do: 'drop'; row: number; path: number }
  | { do: 'remove'; row: number }
  | { do: 'repeat'; row: number; id: boolean }
  | { do: 'swap'; row: number; with: number }
  | { do: 'miscount'; rows: unknown }

const at = fc.nat({ max: 10_000 })
const value = fc.oneof(hostileValue, oddNumber, oddText, fc.integer({ min: -2, max: 12 }), fc.boolean())

/** One or two changes, most of which leave an export that can be read. */
export const oddities: fc.Arbitrary<Oddity[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('set' as const), row: at, path: at, value }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('borrow' as const), row: at, path: at, from: at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), row: at, path: at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), row: at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), row: at, id: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('swap' as const), row: at, with: at }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('miscount' as const), rows: value }) },
  ),
  { minLength: 1, maxLength: 2 },
)

export function readExport(text: string): Row[] {
  const rows = text.split('\n').filter((line) => line !== '')
  return rows.map((line) => {
    const row: Row = JSON.parse(line)
    return { ...row, data: eachJson(row.data, (json) => JSON.parse(String(json))) }
  })
}

/** The text of these rows, with the right count on the first line. */
export function writeExport(rows: Row[]): string {
  const lines = rows.map(({ rows: announced, ...row }) => {
    const count = announced === undefined ? {} : { rows: announced === 'right' ? rows.length : announced }
    return JSON.stringify({ ...row, data: eachJson(row.data, textOf), ...count })
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** The rows with these changes. The first row has their count, which is right unless a change says otherwise. */
export function withOddities(rows: Row[], changes: Oddity[]): Row[] {
  const counted = rows.map((row) => (row.rows === undefined ? row : { ...row, rows: 'right' }))
  return changes.reduce(withOddity, counted)
}

function withOddity(rows: Row[], oddity: Oddity): Row[] {
  if (oddity.do === 'miscount')
    return rows.map((row, index) => (index === 0 ? { ...row, rows: oddity.rows } : row))
  const index = oddity.row % Math.max(1, rows.length)
  const row = rows[index]
  if (row === undefined) return rows
  const others = rows.filter(({ type }) => type === row.type)
  switch (oddity.do) {
    case 'remove':
      return rows.toSpliced(index, 1)
    case 'repeat':
      return rows.toSpliced(
        index,
        0,
        oddity.id ? { ...row, data: { ...row.data, id: `${row.data['id']}_2` } } : row,
      )
    case 'swap': {
      const other = oddity.with % rows.length
      return rows.with(index, rows[other] ?? row).with(other, row)
    }
    case 'drop':
      return rows.with(
        index,
        changedRow(row, oddity.path, () => undefined),
      )
    case 'set':
      return rows.with(
        index,
        changedRow(row, oddity.path, () => oddity.value),
      )
    case 'borrow': {
      const donor = others[oddity.from % others.length] ?? row
      return rows.with(
        index,
        changedRow(row, oddity.path, (_, path) => valueAt(donor.data, path)),
      )
    }
  }
}

type Change = (value: unknown, path: (string | number)[]) => unknown

function changedRow(row: Row, nth: number, change: Change): Row {
  const paths = pathsOf(row.data).slice(1)
  const path = paths[nth % paths.length] ?? []
  const data = changedAt(row.data, path, (inner) => change(inner, path))
  return { ...row, data: data as Row['data'] }
}

function valueAt(root: unknown, path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => Object(inner)[key], root)
}

function eachJson(data: Row['data'], change: (value: unknown) => unknown): Row['data'] {
  return Object.fromEntries(
    Object.entries(data).map(([name, inner]) => [name, name.endsWith('_json') ? change(inner) : inner]),
  )
}

/** A JSON column is stored as a text of JSON, unless its value is a text already. */
function textOf(inner: unknown): unknown {
  return typeof inner === 'string' ? inner : JSON.stringify(inner)
}
