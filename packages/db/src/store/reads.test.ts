import type { Store } from '@palimpsest/core/ports'
import { exported, newSession, planned, turn, userMessage } from '@palimpsest/testing'
import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { openConnection } from '../connect/connection.ts'
import { openDatabase } from '../connect/database.ts'
import { temporaryStore } from '../testing/temporary-store.ts'
import { createGroupCommit } from './group-commit.ts'
import { createHistoryStore } from './history.ts'
import { createMessageStore } from './messages.ts'
import { createQueueStore } from './queue.ts'
import { createReportStore } from './reports.ts'
import { createSessionStore } from './sessions.ts'

type Readable = Pick<Store, 'sessions' | 'messages' | 'queue' | 'reports' | 'history'>

const LIST = { limit: 5, archived: false, ephemeral: true }

/** Everything that the store can read of session `a`. */
async function readAll({ sessions, messages, queue, reports, history }: Readable): Promise<unknown[]> {
  const { items } = await sessions.list({ ...LIST, limit: 1 })
  return await Promise.all([
    items,
    sessions.get('a'),
    sessions.list(LIST),
    sessions.list({ ...LIST, search: 'zebra' }),
    messages.get('a', 'm1'),
    messages.page({ sessionId: 'a', limit: 5, hidden: true }),
    messages.visible('a'),
    messages.search({ text: 'zebra', limit: 5 }),
    messages.systemPrompt('d'),
    queue.list('a'),
    reports.usage({ since: 0, until: 9_000 }),
    reports.counts(),
    history.outline('a'),
    history.messagesAt('a', [[1, 4]]),
    history.lastRewind('a'),
    history.family('a'),
  ])
}

async function filledStore() {
  const fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id, { question: 'zebras' })
  await store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[3, 4]] }))
  await store.queue.add(userMessage('a', 'q', 'waits'), 9_000)
  return fixture
}

test('DA-16 no method that reads waits while another process writes', async () => {
  await using fixture = await filledStore()
  const { store, path } = fixture
  const before = await readAll(store)
  using other = Object.assign(new Sqlite(path), { [Symbol.dispose]: () => void other.close() })
  other.exec("BEGIN IMMEDIATE; UPDATE chat_sessions SET title = 'Not yet', updated_at = 99999")
  const timers = vi.spyOn(globalThis, 'setTimeout')
  expect(await readAll(store)).toEqual(before)
  expect((await exported(store, 'a'))[0]?.data).toMatchObject({ title: 'zebras' })
  expect(await store.runs.orphans(9_000)).toEqual([])
  expect(timers).not.toHaveBeenCalled()
  timers.mockRestore()
  other.exec('COMMIT')
  expect((await store.sessions.get('a'))?.title).toBe('Not yet')
})

test('DA-16 no method that reads waits for a write of its own host, or sees any of it', async () => {
  await using fixture = await filledStore()
  await using database = await openDatabase(fixture.path)
  const before = await readAll(fixture.store)
  const [middle, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stores = storesOn(database)
  const writing = database.write(async (queries) => {
    await queries.$executeRawUnsafe('DELETE FROM chat_messages')
    await queries.$executeRawUnsafe("UPDATE chat_sessions SET title = 'Half'")
    middle.resolve()
    await goOn.promise
    throw new Error('It fails')
  })
  await middle.promise
  expect(await readAll(stores)).toEqual(before)
  goOn.resolve()
  await expect(writing).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(await readAll(stores)).toEqual(before)
})

test('DA-16 every method that reads works on a disk that refuses writes', async () => {
  await using fixture = await filledStore()
  const before = await readAll(fixture.store)
  const writer = openConnection(fixture.path, { readonly: false })
  await using database = await openDatabase(fixture.path, { writer })
  writer.pragma('query_only = ON')
  const stores = storesOn(database)
  await expect(stores.sessions.rename('a', 'No', 9_500)).rejects.toMatchObject({ code: 'STORE_ERROR' })
  await expect(stores.sessions.create(newSession('b'))).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(await readAll(stores)).toEqual(before)
})

test('DA-16 a connection that reads cannot write', async () => {
  await using fixture = await filledStore()
  await using database = await openDatabase(fixture.path)
  for (const sql of [
    "INSERT INTO store_meta VALUES ('a', 'b') RETURNING key",
    'DELETE FROM chat_parts RETURNING id',
  ]) {
    const writing = database.read((queries) => queries.$queryRawUnsafe(sql))
    await expect(writing).rejects.toMatchObject({ cause: { code: 'SQLITE_READONLY' } })
  }
  expect(await fixture.store.messages.visible('a')).toHaveLength(2)
})

test('DA-10 a row that moves between two pages of a list is on the second one, also after a restart', async () => {
  await using fixture = await temporaryStore()
  for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) {
    await fixture.store.sessions.create(newSession(id, { at: 1_000 + at }))
  }
  const { items, nextCursor } = await fixture.store.sessions.list({ ...LIST, limit: 2 })
  expect(items.map(({ id }) => id)).toEqual(['d', 'c'])
  await fixture.store.sessions.rename('a', 'Moved', 5_000)
  const next = await fixture.restart()
  const rest = await next.sessions.list({ ...LIST, cursor: nextCursor ?? '' })
  expect(rest.items.map(({ id }) => id)).toEqual(['a', 'b'])
})

function storesOn(database: Awaited<ReturnType<typeof openDatabase>>): Readable {
  return {
    sessions: createSessionStore(database, createGroupCommit(database)),
    messages: createMessageStore(database),
    queue: createQueueStore(database),
    reports: createReportStore(database),
    history: createHistoryStore(database, { wake: () => undefined }),
  }
}

test('SX-10 messages of megabytes are read with turns for other work between their parts, as one state', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2', 'm3'])
    await turn(store, 'a', id, { question: `${id} `.repeat(100_000), answer: 'é'.repeat(300_000) })
  const reading = store.messages.visible('a')
  let turns = 0
  let work = setImmediate(function count() {
    turns += 1
    work = setImmediate(count)
  })
  const rewound = store.history.apply(planned('a', 'op_1', { lastSeq: 6, hidden: [[3, 6]] }))
  const messages = await reading
  clearImmediate(work)
  await rewound
  const texts = messages.flatMap(({ parts }) => parts.map(({ data }) => ('text' in data ? data.text : '')))
  expect(texts.map(({ length }) => length)).toEqual(Array.from({ length: 6 }, () => 300_000))
  expect(turns).toBeGreaterThanOrEqual(5)
  expect(await store.messages.visible('a')).toHaveLength(2)
})
