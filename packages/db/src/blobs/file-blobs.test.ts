import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { blobsContract, createFakeClock } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { createFileBlobs } from './file-blobs.ts'

blobsContract('blobs in files', async (clock) => {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'store.db')
  return {
    blobs: createFileBlobs(path, clock),
    restart: () => Promise.resolve(createFileBlobs(path, clock)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
})

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

test('DA-15 the files of blobs are beside the database, for their owner alone', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'store.db')
  const blobs = createFileBlobs(path, createFakeClock())
  await blobs.append('u', one('words'), { offset: 0, limit: 10 })
  const { hash } = await blobs.finish('u')
  const file = join(`${path}.blobs`, 'sha256', hash.slice(0, 2), hash)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(`${path}.blobs`)).mode & 0o777).toBe(0o700)
  expect(await readdir(join(`${path}.blobs`, 'uploads'))).toEqual([])
})

test('DA-15 a folder that cannot be written is a STORE_ERROR that names no path', async () => {
  await using folder = await temporaryFolder()
  // A file is where the folder would be.
  const path = join(folder.path, 'store.db')
  const taken = createFileBlobs(path, createFakeClock())
  await taken.append('u', one('words'), { offset: 0, limit: 10 })
  const blocked = createFileBlobs(join(`${path}.blobs`, 'uploads', 'u', 'x'), createFakeClock())
  const failure = await blocked
    .append('u', one('words'), { offset: 0, limit: 10 })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'STORE_ERROR' })
  expect(String(failure)).not.toContain(folder.path)
})
