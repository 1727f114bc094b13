import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { createCheckpoints } from './checkpoints.ts'

async function openFile() {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'file.db')
  const file = new Sqlite(path)
  file.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')
  file.pragma('wal_checkpoint(TRUNCATE)')
  return {
    file,
    checkpoints: createCheckpoints(path, () => file),
    pages: () => Number(file.pragma('wal_autocheckpoint', { simple: true })),
    bytes: async () => (await stat(path)).size,
    async [Symbol.asyncDispose]() {
      file.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const MUCH = 8 * 1024 * 1024

test('SX-10 the log of a write of megabytes is copied beside the event loop, and not by its commit', async () => {
  await using fixture = await openFile()
  const { file, checkpoints } = fixture
  await checkpoints.after(async () => file.prepare('INSERT INTO t VALUES (zeroblob(?))').run(MUCH))
  expect(await fixture.bytes()).toBeLessThan(MUCH)
  expect(fixture.pages()).toBe(0)
  await checkpoints[Symbol.asyncDispose]()
  expect(await fixture.bytes()).toBeGreaterThan(MUCH)
  expect(fixture.pages()).toBe(1_000)
})

test('SX-10 commits copy the log again after a short write, after one that fails, and after the last of several', async () => {
  await using fixture = await openFile()
  const { file, checkpoints } = fixture
  const short = async () => file.prepare('INSERT INTO t VALUES (1)').run()
  await checkpoints.after(short)
  await checkpoints[Symbol.asyncDispose]()
  expect(fixture.pages()).toBe(1_000)
  const fails = checkpoints.after(() => Promise.reject(new Error('No')))
  await expect(fails).rejects.toThrow('No')
  await checkpoints[Symbol.asyncDispose]()
  expect(fixture.pages()).toBe(1_000)
  const slow = Promise.withResolvers<void>()
  const writing = checkpoints.after(() => slow.promise)
  await checkpoints.after(short)
  await expect.poll(() => fixture.bytes()).toBeGreaterThan(0)
  expect(fixture.pages()).toBe(0)
  slow.resolve()
  await writing
  await checkpoints[Symbol.asyncDispose]()
  expect(fixture.pages()).toBe(1_000)
})
