import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { AppError } from '@palimpsest/core/domain'
import Database from 'better-sqlite3'

type OwnerRow = { pid: number; host: string; started_at: number }

/**
 * Makes this process the one that owns a database file until it is disposed or the process ends, however it ends.
 * `STORE_ERROR` that names the owner when there is one. `path` is the file's own name, as `fileName` returns it. The lock is a transaction held open on a small database beside
 * the file, so that the system takes it back and readers of the file itself are not in its way.
 */
export function lockOwnership(path: string, now: number): Disposable {
  const sidecar = new Database(`${path}.owner`, { timeout: 0 })
  try {
    sidecar.exec('CREATE TABLE IF NOT EXISTS owner (pid INTEGER, host TEXT, started_at INTEGER)')
    sidecar.exec('BEGIN IMMEDIATE; DELETE FROM owner')
    sidecar.prepare('INSERT INTO owner VALUES (?, ?, ?)').run(process.pid, hostname(), now)
    sidecar.exec('COMMIT; BEGIN IMMEDIATE')
  } catch (cause) {
    const owner = isBusy(cause) ? refusal(readOwner(sidecar)) : null
    sidecar.close()
    if (owner === null) throw cause
    throw new AppError('STORE_ERROR', owner, { cause })
  }
  return { [Symbol.dispose]: () => void sidecar.close() }
}

/** `STORE_ERROR` that names the owner when a process owns the file that had this name. */
export function refuseOwned(path: string): void {
  if (existsSync(`${path}.owner`)) lockOwnership(path, 0)[Symbol.dispose]()
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function readOwner(sidecar: Database.Database): OwnerRow | undefined {
  try {
    return sidecar.prepare<[], OwnerRow>('SELECT pid, host, started_at FROM owner').get()
  } catch {
    return undefined
  }
}

function refusal(owner: OwnerRow | undefined): string {
  const who =
    owner === undefined
      ? 'another process'
      : `process ${owner.pid} on ${owner.host}, running since ${new Date(owner.started_at).toISOString()}`
  return `This database is in use by ${who}. One process owns it at a time: stop that one, or point DATABASE_URL at another file.`
}
