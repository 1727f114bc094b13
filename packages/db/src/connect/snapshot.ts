import { openConnection } from './connection.ts'
import type { LogPlaces } from './log-places.ts'
import { createStatements, type ReadQueries, type Watch } from './statements.ts'

/** The database as it was when the snapshot was opened. */
export interface Snapshot extends ReadQueries, Disposable {
  /** Rows one by one, as they are asked for; until the last one nothing else can be read. */
  rows<T>(sql: string, ...values: unknown[]): Iterable<T>
}

/** A connection of its own, so that a slow reader delays no other query. */
export function openSnapshot(path: string, watch: Watch, logs: LogPlaces): Snapshot {
  const connection = openConnection(path, { readonly: true })
  connection.exec('BEGIN')
  return {
    ...createStatements(connection, watch, logs),
    rows(sql, ...values) {
      watch.observe?.({ sql })
      // The statement's columns are what its caller says.
      return connection.prepare<unknown[]>(sql).iterate(...values) as Iterable<never>
    },
    [Symbol.dispose]: () => void connection.close(),
  }
}
