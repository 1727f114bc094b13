import type { ChatPart } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import {
  asks,
  branchOf,
  lease,
  newSession,
  removeSession,
  replyWrite,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

function fileOf(hash: string): ChatPart {
  return { type: 'file', mediaType: 'image/png', url: `/api/v1/blobs/${hash}` }
}

function add(store: Store, hash: string, at = 1_000) {
  return store.blobs.add({ hash, size: 70_000, mediaType: 'image/png', owner: 'usr_local' }, at)
}

function rows(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true })
  const found = database.prepare(sql).all()
  database.close()
  return found
}

const REFERENCES = `SELECT p.session_id AS session, p."index" AS place, r.hash FROM blob_refs r
  JOIN chat_parts p ON p.id = r.part_id ORDER BY p.session_id, p."index", r.hash`

test('DA-15 each part that names a file has a row for it, in the write that stores the part', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  for (const hash of [A, B]) await add(store, hash)
  const parts = [fileOf(A), fileOf(B), fileOf(A)]
  await store.queue.add({ ...userMessage('a', 'q', ''), parts }, 2_000)
  expect(rows(path, REFERENCES)).toEqual([
    { session: 'a', place: 0, hash: A },
    { session: 'a', place: 1, hash: B },
    { session: 'a', place: 2, hash: A },
  ])
  await store.queue.edit('a', 'q', { parts: [fileOf(B)] }, 3_000)
  expect(rows(path, REFERENCES)).toEqual([{ session: 'a', place: 0, hash: B }])
})

test.for([
  `https://example.com/api/v1/blobs/${A}`,
  `/api/v1/blobs/${A.toUpperCase()}`,
  `/api/v1/blobs/${A}?x=1`,
  `/api/v1/blobs/../blobs/${A}`,
  `/api/v1/blobs/${A.slice(1)}`,
  'data:image/png;base64,AAAA',
])('DA-15 a part with the address %s names no file', async (url) => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await add(store, A)
  const parts: ChatPart[] = [{ type: 'file', mediaType: 'image/png', url }]
  await store.queue.add({ ...userMessage('a', 'q', ''), parts }, 2_000)
  expect(rows(path, REFERENCES)).toEqual([])
  expect(await store.blobs.collect(1_000)).toEqual([A])
})

test('DA-15 a reply that is written over and over names its file once', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await add(store, A)
  const run = lease('a', 1)
  await store.runs.begin(run, asks(userMessage('a', 'm', 'Draw')))
  for (const text of ['H', 'He', 'Here']) {
    await store.runs.record(replyWrite(run, 'r', [fileOf(A), { type: 'text', text }]))
  }
  expect(rows(path, REFERENCES)).toEqual([{ session: 'a', place: 0, hash: A }])
  expect(await store.blobs.get(A)).toMatchObject({ pendingSince: null })
  await store.runs.end(run, null, 4_000)
})

test('DA-14 DA-15 a purge removes the references of its session and leaves those of a branch', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await add(store, A)
  const run = lease('a', 1)
  await store.runs.begin(run, asks({ ...userMessage('a', 'm', ''), parts: [fileOf(A)] }))
  await store.runs.end(run, null, 3_000)
  await store.history.branch(branchOf('a', 'b', [1]))
  expect(rows(path, REFERENCES)).toHaveLength(2)
  await removeSession(store, 'a')
  expect(rows(path, REFERENCES)).toEqual([{ session: 'b', place: 0, hash: A }])
  await removeSession(store, 'b')
  expect(rows(path, 'SELECT * FROM blob_refs')).toEqual([])
  expect(rows(path, 'SELECT * FROM blobs')).toEqual([])
})

test('DA-15 a message that is refused for a missing file leaves no part, no reference and no mark', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await add(store, A)
  const parts = [fileOf(A), fileOf(B)]
  const refused = store.queue.add({ ...userMessage('a', 'q', ''), parts }, 2_000)
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'message.parts' })
  expect(rows(path, 'SELECT * FROM blob_refs')).toEqual([])
  expect(rows(path, 'SELECT * FROM chat_parts')).toEqual([])
  expect(await store.blobs.get(A)).toMatchObject({ pendingSince: 1_000 })
})

test('DA-11 a part that was damaged keeps its file until its session is purged', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await add(store, A)
  await store.queue.add({ ...userMessage('a', 'q', ''), parts: [fileOf(A)] }, 2_000)
  const database = new Database(path)
  database.exec("UPDATE chat_parts SET data_json = '{'")
  database.close()
  expect(await store.blobs.collect(Number.MAX_SAFE_INTEGER)).toEqual([])
  expect((await store.blobs.ofSession('a')).map(({ hash }) => hash)).toEqual([A])
  await store.sessions.delete('a', { withBranches: false, at: 3_000 })
  expect((await store.sessions.purge('a')).blobs).toEqual([A])
})

test('DA-15 the files that wait longest are collected first', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  const database = new Database(path)
  const insert = database.prepare("INSERT INTO blobs VALUES (?, 1, 'image/png', 'usr_local', 1, ?)")
  const hashes = Array.from({ length: 1_001 }, (_, at) => at.toString(16).padStart(64, '0'))
  database.transaction(() => {
    for (const [at, hash] of hashes.entries()) insert.run(hash, 5_000 - at)
  })()
  database.close()
  expect(await store.blobs.collect(9_000)).toHaveLength(1_000)
  expect(await store.blobs.known(hashes)).toEqual([hashes[0]])
})
