import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import Database from 'better-sqlite3'
import { copyBlobs, copyNamedBlobs, removeBlobs } from './blobs/copy-blobs.ts'
import { fileName } from './connect/file-name.ts'
import { ensurePrivateFile, ensurePrivateFolder } from './connect/private-file.ts'

/**
 * Copies the database file at `source` to `target` as it is at one moment, also while its host runs, and the files of its
 * messages beside it. `target` appears when everything is complete and has been checked. `INVALID_INPUT` when there is no
 * source or something is at `target`.
 */
export async function backupStore(source: string, target: string): Promise<void> {
  if (!existsSync(source)) throw new AppError('INVALID_INPUT', 'There is no store to copy yet.')
  if (existsSync(target)) throw new AppError('INVALID_INPUT', 'There is something at the target already.')
  const partial = `${target}.partial`
  try {
    await ensurePrivateFolder(dirname(target))
    // A copy that was cut off may have left one behind.
    await rm(partial, { force: true })
    await ensurePrivateFile(partial)
    const name = await fileName(source)
    // What is deleted before the database is copied is not missed there, and what is stored until then is copied after it.
    await copyBlobs(name, target)
    const database = new Database(name, { readonly: true, timeout: 5_000 })
    try {
      // One moment for the whole copy; without it, each write of the host would start the copy again.
      database.exec('BEGIN')
      database.prepare('SELECT count(*) FROM sqlite_schema').get()
      await database.backup(partial)
    } finally {
      database.close()
    }
    check(partial)
    await copyNamedBlobs(name, partial, target)
    await rename(partial, target)
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => undefined)
    await removeBlobs(target).catch(() => undefined)
    throw new AppError('STORE_ERROR', 'The copy could not be made.', { cause })
  }
}

/** Leaves the copy as one file without a log beside it, and fails when it is damaged. */
function check(path: string): void {
  const copy = new Database(path)
  try {
    copy.pragma('journal_mode = DELETE')
    const result = copy.pragma('quick_check', { simple: true })
    if (result !== 'ok') throw new Error(`The copy is damaged: ${String(result)}`)
  } finally {
    copy.close()
  }
}
