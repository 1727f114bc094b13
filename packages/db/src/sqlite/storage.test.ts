import { stat } from 'node:fs/promises'
import { newSession, removeSession, turn } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

test('UI-31 the reported size is that of the file once its log is written back', async () => {
  await using fixture = await temporaryStore()
  await fixture.store.sessions.create(newSession('a'))
  await turn(fixture.store, 'a', 'm1', { question: 'x'.repeat(300_000) })
  const { bytes } = await fixture.store.reports.storage()
  const database = new Database(fixture.path)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  expect((await stat(fixture.path)).size).toBe(bytes)
})

test('UI-31 what a purge leaves is reported as free and is used again before the file grows', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  const question = 'x'.repeat(400_000)
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question })
  const full = await store.reports.storage()
  await removeSession(store, 'a')
  const emptied = await store.reports.storage()
  expect(emptied.bytes).toBe(full.bytes)
  expect(emptied.freeBytes).toBeGreaterThan(full.freeBytes + 390_000)
  await store.sessions.create(newSession('b'))
  await turn(store, 'b', 'm2', { question })
  const again = await store.reports.storage()
  expect(again.freeBytes).toBeLessThan(emptied.freeBytes - 390_000)
  expect(again.bytes).toBeLessThan(full.bytes + 100_000)
})

test('UI-31 the size is in whole pages, never negative, and the same after a restart', async () => {
  await using fixture = await temporaryStore()
  await fixture.store.sessions.create(newSession('a'))
  const before = await fixture.store.reports.storage()
  const database = new Database(fixture.path, { readonly: true })
  const page = Number(database.pragma('page_size', { simple: true }))
  database.close()
  expect([before.bytes % page, before.freeBytes % page]).toEqual([0, 0])
  expect(before.bytes).toBeGreaterThan(before.freeBytes)
  const store = await fixture.restart()
  expect(await store.reports.storage()).toEqual(before)
})

test('UI-31 DA-11 a session of the bin whose row is damaged is counted', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  await store.sessions.delete('a', { withBranches: false, at: 2_000 })
  const database = new Database(fixture.path)
  database.exec("UPDATE chat_sessions SET metadata_json = '{', model_json = '', permissions_json = '['")
  database.close()
  expect((await store.reports.storage()).inBin).toBe(1)
})
