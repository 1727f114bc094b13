import { setTimeout as delay } from 'node:timers/promises'
import type { Mutex } from 'async-mutex'
import Sqlite from 'better-sqlite3'

/** The connection that writes, the lock of its transactions, and what begins one there or fails at once. */
export type SqliteConnection = { client: Sqlite.Database; mutex: Mutex; begin: () => void }

/** Milliseconds that a write waits for another process's. */
export const BUSY_TIMEOUT = 5_000

/** Milliseconds between two tries while another process writes. */
const RETRY_MS = 20

/**
 * Begins a transaction that writes, and resolves to a function that releases the connection. While another process has the
 * lock, reads of this process go on: SQLite's own waiting would block its event loop.
 */
export async function beginWrite({ mutex, begin }: SqliteConnection): Promise<() => void> {
  const until = performance.now() + BUSY_TIMEOUT
  while (true) {
    const release = await mutex.acquire()
    try {
      begin()
      return release
    } catch (error) {
      release()
      if (!isBusy(error) || performance.now() >= until) throw error
    }
    await delay(RETRY_MS)
  }
}

/**
 * What begins a transaction that writes; busy at once while another process does. Prepared, as every write begins so. Nothing but
 * transactions writes on the connection, which from now on never waits by itself.
 */
export function createBegin(client: Sqlite.Database): () => void {
  client.pragma('busy_timeout = 0')
  const begin = client.prepare('BEGIN IMMEDIATE')
  return () => void begin.run()
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
