import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { codeOf, ensurePrivateFolder } from '../connect/private-file.ts'
import { blobFolder } from './blob-folder.ts'

/** Copies the bytes of all blobs beside the copy of a database. Files that are there already stay. */
export async function copyBlobs(source: string, target: string): Promise<void> {
  const from = blobFolder(source)
  for (const prefix of await namesIn(from.hashes)) {
    for (const hash of await namesIn(join(from.hashes, prefix))) await copyBlob(source, target, hash)
  }
}

/** Copies the bytes that a copied database names and that were stored after `copyBlobs` had begun. */
export async function copyNamedBlobs(source: string, copy: string, target: string): Promise<void> {
  const database = new Database(copy, { readonly: true })
  try {
    const hasBlobs = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'blobs'").get() !== undefined
    // A database of an earlier release has none until it is opened.
    if (!hasBlobs) return
    const known = database.prepare<[], { hash: string }>('SELECT hash FROM blobs').all()
    for (const { hash } of known) await copyBlob(source, target, hash)
  } finally {
    database.close()
  }
}

/** Removes what was copied for a copy that failed. */
export async function removeBlobs(target: string): Promise<void> {
  await rm(blobFolder(target).root, { recursive: true, force: true })
}

async function copyBlob(source: string, target: string, hash: string): Promise<void> {
  const to = blobFolder(target)
  await ensurePrivateFolder(to.folderOf(hash))
  try {
    await copyFile(blobFolder(source).pathOf(hash), to.pathOf(hash))
  } catch (error) {
    // It was deleted meanwhile, or its bytes are missing in the source as well.
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
