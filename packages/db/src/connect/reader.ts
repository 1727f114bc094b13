import { Mutex } from 'async-mutex'
import { openConnection } from './connection.ts'
import type { LogPlaces } from './log-places.ts'
import { createStatements, type ReadQueries, type Watch } from './statements.ts'

/** SQL for a connection that reads: the words of the full text index, to look up which begin with what was typed. */
export const SEARCH_VOCABULARY = `
CREATE VIRTUAL TABLE temp.search_vocabulary USING fts5vocab(main, search_index, row);
`

/** A connection that only reads. */
export interface Reader extends AsyncDisposable {
  /** Runs all of `work` on one committed state. */
  read<T>(work: (queries: ReadQueries) => Promise<T>): Promise<T>
}

/**
 * Opens a connection on which each piece of work is one deferred transaction, and so one snapshot of the log: writers
 * and readers of other connections neither wait for it nor make it wait. Statements are synchronous, so a turn on the
 * connection lasts as long as SQLite takes.
 */
export function openReader(path: string, watch: Watch, logs: LogPlaces): Reader {
  const connection = openConnection(path, { readonly: true })
  connection.exec(`${SEARCH_VOCABULARY} PRAGMA query_only = ON`)
  const begin = connection.prepare('BEGIN DEFERRED')
  const end = connection.prepare('COMMIT')
  const statements = createStatements(connection, watch, logs)
  const mutex = new Mutex()
  return {
    async read(work) {
      const release = await mutex.acquire()
      try {
        begin.run()
        return await work(statements)
      } finally {
        // SQLite ends a transaction by itself after errors such as a damaged page.
        if (connection.inTransaction) end.run()
        release()
      }
    },
    async [Symbol.asyncDispose]() {
      await mutex.acquire()
      connection.close()
    },
  }
}
