import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { blobFolder } from './blob-folder.ts'
import { copyBlobs, copyNamedBlobs, removeBlobs } from './copy-blobs.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

async function put(databaseFile: string, hash: string, text: string): Promise<void> {
  const path = blobFolder(databaseFile).pathOf(hash)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { mode: 0o600 })
}

function textOf(databaseFile: string, hash: string): Promise<string> {
  return readFile(blobFolder(databaseFile).pathOf(hash), 'utf8')
}

/** A database whose table of blobs has these hashes. */
function naming(path: string, hashes: readonly string[]): void {
  const database = new Database(path)
  database.exec('CREATE TABLE blobs (hash TEXT)')
  for (const hash of hashes) database.prepare('INSERT INTO blobs VALUES (?)').run(hash)
  database.close()
}

test('DA-12 the bytes of every file are copied, for their owner alone, and no unfinished upload', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  await put(source, A, 'one')
  await put(source, B, 'two')
  await mkdir(blobFolder(source).uploads)
  await writeFile(join(blobFolder(source).uploads, 'u'), 'half')
  await copyBlobs(source, target)
  expect([await textOf(target, A), await textOf(target, B)]).toEqual(['one', 'two'])
  expect((await stat(blobFolder(target).pathOf(A))).mode & 0o777).toBe(0o600)
  expect((await stat(blobFolder(target).root)).mode & 0o777).toBe(0o700)
  expect(await readdir(blobFolder(target).root)).toEqual(['sha256'])
})

test('DA-12 a store without files makes no folder beside its copy', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  await copyBlobs(source, target)
  naming(target, [])
  await copyNamedBlobs(source, target, target)
  expect(await readdir(folder.path)).toEqual(['copy.db'])
})

test('DA-12 a file that the copied database names and that was stored since is copied afterwards', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  await put(source, A, 'one')
  await copyBlobs(source, target)
  await put(source, B, 'two')
  naming(target, [A, B])
  await copyNamedBlobs(source, target, target)
  expect([await textOf(target, A), await textOf(target, B)]).toEqual(['one', 'two'])
})

test('DA-12 a file that was deleted during the copy stays in it, and one whose bytes are missing does not stop it', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  await put(source, A, 'one')
  await copyBlobs(source, target)
  await removeBlobs(source)
  naming(target, [A, B])
  await copyNamedBlobs(source, target, target)
  expect(await textOf(target, A)).toBe('one')
  expect(existsSync(blobFolder(target).pathOf(B))).toBe(false)
})

test('DA-12 a copied database of an earlier release, which has no table of blobs, names none', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  new Database(target).exec('CREATE TABLE chat_sessions (id TEXT)').close()
  await put(source, A, 'one')
  await copyNamedBlobs(source, target, target)
  expect(existsSync(blobFolder(target).root)).toBe(false)
})

test('DA-12 what was copied for a failed copy is removed, and nothing else', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  await put(source, A, 'one')
  await copyBlobs(source, target)
  await writeFile(target, 'kept')
  await removeBlobs(target)
  await removeBlobs(target)
  expect((await readdir(folder.path)).toSorted()).toEqual(['copy.db', 'store.db.blobs'])
  expect(await textOf(source, A)).toBe('one')
})

test('DA-12 a folder that cannot be read or written fails the copy', async () => {
  await using folder = await temporaryFolder()
  const [source, target] = [join(folder.path, 'store.db'), join(folder.path, 'copy.db')]
  await put(source, A, 'one')
  await writeFile(blobFolder(target).root, 'in the way')
  await expect(copyBlobs(source, target)).rejects.toThrow()
  const broken = join(folder.path, 'broken.db')
  await mkdir(blobFolder(broken).root)
  await writeFile(blobFolder(broken).hashes, 'no folder')
  await expect(copyBlobs(broken, join(folder.path, 'other.db'))).rejects.toThrow()
})
