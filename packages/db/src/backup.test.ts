import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { compaction, createFakeClock, exported, given, newSession, planned, turn } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { backupStore } from './backup.ts'
import { createFileBlobs } from './blobs/file-blobs.ts'
import { openStore } from './open-store.ts'
import { CLOCK, temporaryFolder, temporaryStore } from './testing/temporary-store.ts'

test('DA-12 a copy made while the host writes opens, and holds all that was acknowledged before', async () => {
  await using fixture = await temporaryStore()
  const target = `${fixture.path}.copies/copy.db`
  for (let index = 0; index < 50; index++) await fixture.store.sessions.create(newSession(`a${index}`))
  let copied = false
  const copying = backupStore(fixture.path, target).then(() => {
    copied = true
  })
  for (let index = 0; !copied; index++) {
    await fixture.store.sessions.create(newSession(`b${index}`))
    await setImmediate()
  }
  await copying
  await using copy = await openStore({ url: `file:${target}`, clock: CLOCK })
  const { items } = await copy.sessions.list({ limit: 200, archived: false, ephemeral: false })
  const ids = new Set(items.map(({ id }) => id))
  expect(Array.from({ length: 50 }, (_, index) => `a${index}`).every((id) => ids.has(id))).toBe(true)
  expect(copy.storeId).toBe(fixture.store.storeId)
})

test('DA-12 DA-15 a copy has the files of its messages beside it, and a failed one leaves none', async () => {
  await using fixture = await temporaryStore()
  const blobs = createFileBlobs(fixture.path, createFakeClock())
  await blobs.append('u', given([new TextEncoder().encode('a picture')]), { offset: 0, limit: 100 })
  const { hash, size } = await blobs.finish('u')
  await fixture.store.blobs.add({ hash, size, mediaType: 'image/png', owner: 'usr_local' }, 1_000)
  const target = `${fixture.path}.copies/copy.db`
  await backupStore(fixture.path, target)
  await using copy = await openStore({ url: `file:${target}`, clock: CLOCK })
  expect(await copy.blobs.get(hash)).toMatchObject({ size })
  const content = await createFileBlobs(target, createFakeClock()).read(hash)
  expect(Buffer.concat(await Array.fromAsync(content ?? [])).toString()).toBe('a picture')
  await writeFile(fixture.path, 'no database')
  await expect(backupStore(fixture.path, `${target}.next`)).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(existsSync(`${target}.next.blobs`)).toBe(false)
})

test('DA-12 an existing file is not overwritten, and a failed copy leaves no file', async () => {
  await using fixture = await temporaryStore()
  await using folder = await temporaryFolder()
  await expect(backupStore(fixture.path, fixture.path)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const target = join(folder.path, 'copy.db')
  await expect(backupStore(join(folder.path, 'none.db'), target)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  expect(existsSync(target)).toBe(false)
})

test('DA-12 files that an interrupted copy left do not prevent the next one', async () => {
  await using fixture = await temporaryStore()
  await using folder = await temporaryFolder()
  await fixture.store.sessions.create(newSession('a'))
  const target = join(folder.path, 'copy.db')
  await writeFile(`${target}.partial`, 'half of a copy, which is no database')
  await backupStore(fixture.path, target)
  expect(await readdir(folder.path)).toEqual(['copy.db'])
  await using copy = await openStore({ url: `file:${target}`, clock: CLOCK })
  expect((await copy.sessions.get('a'))?.id).toBe('a')
})

test('DA-12 a damaged source or one that is no database makes no copy, and the error does not contain its path', async () => {
  await using folder = await temporaryFolder()
  const source = join(folder.path, 'notes.db')
  await writeFile(source, 'my precious notes, which are no database at all')
  const target = join(folder.path, 'copies', 'copy.db')
  const refused = { code: 'STORE_ERROR', message: 'The copy could not be made.' }
  await expect(backupStore(source, target)).rejects.toMatchObject(refused)
  expect(await readdir(join(folder.path, 'copies'))).toEqual([])
  // A folder that cannot be made is no different.
  await expect(backupStore(source, join(source, 'inside', 'copy.db'))).rejects.toMatchObject(refused)
})

test('DA-12 a copy holds histories, hidden rows and operations, byte for byte', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id)
  await store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[3, 4]] }))
  await store.history.apply(compaction('a', 'op_2', { lastSeq: 4, to: 2 }))
  const target = `${fixture.path}.copy`
  await backupStore(fixture.path, target)
  await using copy = await openStore({ url: `file:${target}`, clock: CLOCK })
  expect(await exported(copy, 'a')).toEqual(await exported(store, 'a'))
  expect(await copy.history.outline('a')).toEqual(await store.history.outline('a'))
})
