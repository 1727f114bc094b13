import type { Database, Statement } from 'better-sqlite3'
import type { NoteUnreadable } from '../rows/unreadable-rows.ts'
import { type Dialect, SQLITE } from './dialect.ts'
import type { LogPlaces } from './log-places.ts'

/** Runs SQL that reads. */
export type ReadQueries = {
  /** To be called with each row that cannot be read. */
  readonly note: NoteUnreadable
  readonly dialect: Dialect
  readonly logs: LogPlaces
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): Promise<T>
}

/** Runs SQL that writes. */
export type RawQueries = ReadQueries & {
  /** Answers how many rows it changed. */
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>
}

/** What is called with the SQL of every query, and with each row that cannot be read. */
export type Watch = { observe?: ((query: { sql: string }) => void) | undefined; note?: NoteUnreadable }

/** Statements that are kept; more texts than that are not in use at once. */
const KEPT = 500

/** Statements of a connection, each prepared once. Integers come as numbers: nothing that is stored is beyond 2^53. */
export function createStatements(
  connection: Database,
  { observe, note = () => {} }: Watch,
  logs: LogPlaces,
): RawQueries {
  const kept = new Map<string, Statement<unknown[]>>()

  function prepare(sql: string): Statement<unknown[]> {
    observe?.({ sql })
    const known = kept.get(sql)
    if (known !== undefined) return known
    if (kept.size >= KEPT) kept.clear()
    const made = connection.prepare<unknown[]>(sql).safeIntegers(false)
    kept.set(sql, made)
    return made
  }

  return {
    note,
    dialect: SQLITE,
    logs,
    // The statement's columns are what its caller says.
    $queryRawUnsafe: async <T>(sql: string, ...values: unknown[]) => prepare(sql).all(...values) as T,
    $executeRawUnsafe: async (sql, ...values) => prepare(sql).run(...values).changes,
  }
}
