import type { BigIntStats } from 'node:fs'
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import Sqlite from 'better-sqlite3'
import { BUSY_TIMEOUT } from './begin-write.ts'
import { refuseOwned } from './owner-lock.ts'
import { codeOf } from './private-file.ts'

/** The row of `store_meta` that holds the name under which the file is opened. */
const KEY = 'file'

type RecordedName = { path: string; inode: string }

/**
 * The one name under which a database file is opened, whichever of its names is given: SQLite keeps its log, and this
 * package its lock, beside a name. Symbolic links are followed; of several hard links it is the one that the file itself
 * records. `STORE_ERROR` when the file has several names and records none of them, or when it was moved away under a
 * server that is running.
 */
export async function fileName(path: string): Promise<string> {
  const name = await followLinks(path)
  const file = await statOf(name)
  if (file === null) return name
  const recorded = readRecorded(name)
  if (recorded !== null) {
    if (recorded.path === name) return name
    const there = await statOf(recorded.path)
    if (there !== null && there.dev === file.dev && there.ino === file.ino) return recorded.path
    if (recorded.inode === String(file.ino)) refuseOwned(recorded.path)
  }
  if (file.nlink > 1n) throw new AppError('STORE_ERROR', severalNames(name))
  return name
}

/** Records the name in the file, for who opens it under another one. */
export async function recordName(path: string): Promise<void> {
  const file = await stat(path, { bigint: true })
  const recorded: RecordedName = { path, inode: String(file.ino) }
  const before = readRecorded(path)
  if (before?.path === recorded.path && before.inode === recorded.inode) return
  const connection = new Sqlite(path, { timeout: BUSY_TIMEOUT })
  try {
    connection
      .prepare(
        'INSERT INTO store_meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      )
      .run(KEY, JSON.stringify(recorded))
    // Through another name only the file is seen, and not the log.
    connection.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
}

/** The path without symbolic links; of a file that is not there yet, the path that it will have. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const link = await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  if (link) return followLinks(resolve(dirname(path), await readlink(path)))
  return join(await realpath(dirname(path)), basename(path))
}

async function statOf(path: string): Promise<BigIntStats | null> {
  return await stat(path, { bigint: true }).catch(() => null)
}

/** Null when there is none: a new file, one of an earlier release, or one that is no database. */
function readRecorded(path: string): RecordedName | null {
  try {
    using opened = openToRead(path)
    const row = opened.connection
      .prepare<[string], { value: string }>('SELECT value FROM store_meta WHERE key = ?')
      .get(KEY)
    const value: unknown = JSON.parse(row?.value ?? 'null')
    return isRecordedName(value) ? value : null
  } catch {
    return null
  }
}

function openToRead(path: string): Disposable & { connection: Sqlite.Database } {
  const connection = new Sqlite(path, { readonly: true, timeout: BUSY_TIMEOUT })
  return { connection, [Symbol.dispose]: () => void connection.close() }
}

function isRecordedName(value: unknown): value is RecordedName {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'inode' in value &&
    typeof value.inode === 'string'
  )
}

function severalNames(path: string): string {
  return `The database ${path} has several names (hard links), and SQLite keeps its log beside only one of them. Remove the other names, or copy the file and point DATABASE_URL at the copy.`
}
