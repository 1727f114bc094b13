/**
 * What differs between engines in SQL that is written once. Everything else is text that SQLite and PostgreSQL read
 * alike: `?` for values, which an engine's statements may number; quoted aliases; no `rowid`; no function of JSON.
 */
export interface Dialect {
  /** A join, with `ON`, that reads its left side first. */
  readonly join: string
  /** Rows of one value, a JSON list of lists; `value ->> 0` is the first item of a row, `key` the row's index from 0. */
  readonly rows: string
  /** Rows of one value, a JSON list of texts, in the column `value`. */
  readonly texts: string
  /** A column in a condition that no index is to be used for. */
  unindexed(column: string): string
  /** The UTC day, as `2026-11-22`, of a column of epoch milliseconds. */
  day(column: string): string
}

export const SQLITE: Dialect = {
  // SQLite's planner may swap the tables of any other join.
  join: 'CROSS JOIN',
  rows: 'json_each(?)',
  texts: 'json_each(?)',
  unindexed: (column) => `+${column}`,
  day: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
}
