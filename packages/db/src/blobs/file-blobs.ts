import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, createTakeOver, LIMITS } from '@palimpsest/core/domain'
import type { Blobs, ByteRange, Clock } from '@palimpsest/core/ports'
import { codeOf, ensurePrivateFile, ensurePrivateFolder } from '../connect/private-file.ts'
import { type BlobFolder, blobFolder } from './blob-folder.ts'

const HASH = /^[0-9a-f]{64}$/

/** Blobs as files in a folder beside a database file. The process that owns the database owns them too. */
export function createFileBlobs(databaseFile: string, { now }: Pick<Clock, 'now'>): Blobs {
  const folder = blobFolder(databaseFile)
  const takeOver = createTakeOver()
  const uploadPath = (uploadId: string) => join(folder.uploads, uploadId)

  async function begin(path: string, at: { offset: number; present: number | null }): Promise<void> {
    if (at.present === null) {
      await ensurePrivateFolder(folder.uploads)
      if ((await namesIn(folder.uploads)).length >= LIMITS.uploads)
        throw new AppError('RATE_LIMITED', `${LIMITS.uploads} uploads are unfinished already.`)
    }
    const size = at.present ?? 0
    if (size !== at.offset)
      throw new AppError('CONFLICT', `This upload has ${size} bytes, and continues there.`)
    if (at.present === null) await ensurePrivateFile(path)
  }

  const blobs: Blobs = {
    received: async (uploadId) => (await sizeOf(uploadPath(uploadId))) ?? 0,
    append: (uploadId, data, { offset, limit }) =>
      takeOver(uploadId, data, async (chunks) => {
        const path = uploadPath(uploadId)
        await begin(path, { offset, present: await sizeOf(path) })
        try {
          await using file = await open(path, 'a')
          return await appendAll(file, chunks, { offset, limit })
        } finally {
          await stamp(path, now())
        }
      }),
    content: (uploadId) => createReadStream(uploadPath(uploadId)),
    async finish(uploadId) {
      const path = uploadPath(uploadId)
      const digest = createHash('sha256')
      let size = 0
      for await (const chunk of createReadStream(path)) {
        digest.update(chunk)
        size += chunk.length
      }
      const hash = digest.digest('hex')
      await place(folder, path, hash)
      await stamp(folder.pathOf(hash), now())
      return { hash, size }
    },
    drop: (uploadId) => rm(uploadPath(uploadId), { force: true }),
    read: (hash, range) => readFile(folder.pathOf(hash), range),
    remove: (hash) => rm(folder.pathOf(hash), { force: true }),
    async stored(before) {
      const prefixes = await namesIn(folder.hashes)
      const found = await Promise.all(
        prefixes.map((prefix) => olderThan(join(folder.hashes, prefix), before)),
      )
      return found.flat().filter((name) => HASH.test(name))
    },
    async dropUploads(before) {
      for (const name of await olderThan(folder.uploads, before)) await blobs.drop(name)
    },
  }
  return withStoreErrors(blobs)
}

/** Failures of the file system become `STORE_ERROR`; those of the data pass. */
function withStoreErrors(blobs: Blobs): Blobs {
  const guarded =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A) =>
      work(...args).catch(fail)
  return {
    received: guarded(blobs.received),
    append: guarded(blobs.append),
    content: blobs.content,
    finish: guarded(blobs.finish),
    drop: guarded(blobs.drop),
    read: guarded(blobs.read),
    remove: guarded(blobs.remove),
    stored: guarded(blobs.stored),
    dropUploads: guarded(blobs.dropUploads),
  }
}

function fail(error: unknown): never {
  if (error instanceof Error && 'errno' in error)
    throw new AppError('STORE_ERROR', 'The files of messages could not be read or written.', { cause: error })
  throw error
}

async function appendAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  { offset, limit }: { offset: number; limit: number },
): Promise<number> {
  let size = offset
  for await (const chunk of chunks) {
    if (size + chunk.length > limit)
      throw new AppError('INVALID_INPUT', `A file has at most ${limit} bytes.`, { field: 'body' })
    await file.appendFile(chunk)
    size += chunk.length
  }
  return size
}

/** Moves a file under its hash, durably; one that is there already stays. */
async function place(folder: BlobFolder, path: string, hash: string): Promise<void> {
  const target = folder.pathOf(hash)
  if ((await sizeOf(target)) !== null) {
    await rm(path)
    return
  }
  await ensurePrivateFolder(folder.folderOf(hash))
  await synced(path)
  await rename(path, target)
  await synced(folder.folderOf(hash))
}

async function synced(path: string): Promise<void> {
  await using opened = await open(path, 'r')
  await opened.sync()
}

async function readFile(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null> {
  const size = await sizeOf(path)
  if (size === null) return null
  return bytesOf(path, range ?? { start: 0, end: size })
}

/** Opens the file with the first read. */
async function* bytesOf(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  if (end > start) yield* createReadStream(path, { start, end: end - 1 })
}

async function stamp(path: string, at: number): Promise<void> {
  await utimes(path, at / 1000, at / 1000)
}

async function olderThan(folder: string, before: number): Promise<string[]> {
  const names = await namesIn(folder)
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: await changedAt(join(folder, name)) })),
  )
  return aged.filter(({ at }) => at !== null && at <= before).map(({ name }) => name)
}

const namesIn = (folder: string) => orMissing(readdir(folder), [])
const sizeOf = (path: string) =>
  orMissing(
    stat(path).then(({ size }): number | null => size),
    null,
  )
const changedAt = (path: string) =>
  orMissing(
    stat(path).then(({ mtimeMs }): number | null => Math.round(mtimeMs)),
    null,
  )

async function orMissing<T>(work: Promise<T>, missing: T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return missing
    throw error
  }
}
