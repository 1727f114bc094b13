import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { Mutex } from 'async-mutex'
import Sqlite from 'better-sqlite3'
import { BUSY_TIMEOUT, beginWrite, createBegin, type SqliteConnection } from './begin-write.ts'

/** What every connection to the file is set to. */
export const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_TIMEOUT};
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
`

export type SqliteAdapter = SqlDriverAdapterFactory & {
  /** The connection that Prisma has opened last. */
  readonly opened: SqliteConnection
}

/**
 * Prisma's adapter for better-sqlite3, made safe. The stock one runs a statement from outside a transaction inside
 * whichever transaction is open, and never rolls back by itself; here statements and transactions take turns.
 */
export function createSqliteAdapter(path: string): SqliteAdapter {
  const factory = new PrismaBetterSqlite3({ url: path, timeout: BUSY_TIMEOUT })
  let opened: SqliteConnection | null = null
  return {
    get opened() {
      if (opened === null) throw new Error('No connection has been opened')
      return opened
    },
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const connection = await factory.connect()
      await connection.executeScript(PRAGMAS)
      const client = clientOf(connection)
      opened = { client, mutex: new Mutex(), begin: createBegin(client) }
      return takingTurns(connection, opened)
    },
  }
}

/** The stock adapter keeps its connection to itself, in types only. */
function clientOf(connection: SqlDriverAdapter): Sqlite.Database {
  const client = 'client' in connection ? connection.client : null
  if (client instanceof Sqlite) return client
  throw new Error('The adapter for better-sqlite3 has changed')
}

function takingTurns(connection: SqlDriverAdapter, opened: SqliteConnection): SqlDriverAdapter {
  const { mutex } = opened
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await mutex.acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }

  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: (query) => inTurn(() => connection.queryRaw(query)),
    executeRaw: (query) => inTurn(() => connection.executeRaw(query)),
    executeScript: (script) => inTurn(() => connection.executeScript(script)),
    dispose: () => inTurn(() => connection.dispose()),
    async startTransaction() {
      return transaction(connection, await beginWrite(opened))
    },
  }
}

function transaction(connection: SqlDriverAdapter, release: () => void): Transaction {
  const rollback = () =>
    // SQLite has already rolled back by itself after errors such as a full disk.
    connection.executeRaw(statement('ROLLBACK')).then(
      () => undefined,
      () => undefined,
    )

  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    // Prisma leaves COMMIT and ROLLBACK to the two methods below.
    options: { usePhantomQuery: true },
    queryRaw: (query) => connection.queryRaw(query),
    executeRaw: (query) => connection.executeRaw(query),
    async commit() {
      try {
        await connection.executeRaw(statement('COMMIT'))
      } catch (error) {
        await rollback()
        throw error
      } finally {
        release()
      }
    },
    async rollback() {
      await rollback()
      release()
    },
  }
}

function statement(sql: string): SqlQuery {
  return { sql, args: [], argTypes: [] }
}
