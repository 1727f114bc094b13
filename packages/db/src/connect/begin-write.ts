import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import type { Mutex } from './mutex.ts'

/** A connection below Prisma, and whose turn it is on it. */
export type SqliteConnection = { client: Sqlite.Database; mutex: Mutex }

/** Milliseconds that a write waits for another process's. */
export const BUSY_TIMEOUT = 5_000

/** Milliseconds between two tries while another process writes. */
const RETRY_MS = 20

/**
 * Begins a transaction that writes, and resolves to what ends this one's turn on the connection. While another process
 * holds the file, others get their turn and read: SQLite's own waiting would stand the whole host still.
 */
export async function beginWrite({ client, mutex }: SqliteConnection): Promise<() => void> {
  const until = performance.now() + BUSY_TIMEOUT
  while (true) {
    const release = await mutex.acquire()
    try {
      beginAtOnce(client)
      return release
    } catch (error) {
      release()
      if (!isBusy(error) || performance.now() >= until) throw error
    }
    await delay(RETRY_MS)
  }
}

function beginAtOnce(client: Sqlite.Database): void {
  try {
    client.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
  } finally {
    client.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
