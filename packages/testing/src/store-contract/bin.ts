import type { SessionQuery, Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { asks, exported, given, lease, newSession, type OpenFixture, turn, userMessage } from './fixtures.ts'

const LIST: SessionQuery = { limit: 50, archived: false, ephemeral: false }
const ALONE = { withBranches: false, at: 5_000 }
const GONE = { code: 'SESSION_NOT_FOUND' }

async function ids(store: Store, query: Partial<SessionQuery> = {}): Promise<string[]> {
  const { items } = await store.sessions.list({ ...LIST, ...query })
  return items.map(({ id }) => id)
}

/** A session `a` with the branches `b` and, under it, `c`, and with the sidecar `s`. */
async function openFamily(store: Store): Promise<void> {
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question: 'zebra', answer: 'striped' })
  await store.sessions.create(newSession('b', { parentId: 'a', parentMessageId: 'm1', at: 1_001 }))
  await store.sessions.create(newSession('c', { parentId: 'b', at: 1_002 }))
  const metadata = { ephemeral: true } as const
  await store.sessions.create(newSession('s', { parentId: 'a', metadata, at: 1_003 }))
}

export function binContract(open: OpenFixture): void {
  test('DA-14 a deleted session is found nowhere, and comes back whole', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    const before = await exported(store, 'a')
    const [deleted] = await store.sessions.delete('a', ALONE)
    expect(deleted).toMatchObject({ id: 'a', deletedAt: 5_000 })
    expect(await store.sessions.get('a')).toBeNull()
    expect(await ids(store)).toEqual(['c', 'b'])
    expect(await ids(store, { search: 'zebra' })).toEqual([])
    expect((await store.messages.search({ text: 'zebra', limit: 10 })).items).toEqual([])
    expect(await store.reports.usage({ since: 0, until: 9_000 })).toEqual([])
    expect(await store.reports.counts()).toEqual({ sessions: 2, messages: 0 })
    expect((await store.history.family('b')).map(({ id }) => id)).toEqual(['b', 'c'])
    expect(await store.history.family('a')).toEqual([])

    await store.sessions.restore('a', 6_000)
    expect(await store.sessions.get('a')).toMatchObject({ deletedAt: null, updatedAt: 6_000 })
    expect((await exported(store, 'a')).slice(1)).toEqual(before.slice(1))
    expect(await ids(store, { search: 'zebra' })).toEqual(['a'])
    expect((await store.messages.search({ text: 'zebra', limit: 10 })).items).toHaveLength(1)
    expect((await store.history.family('c')).map(({ id }) => id)).toEqual(['a', 'b', 'c', 's'])
    expect(await store.reports.counts()).toEqual({ sessions: 4, messages: 2 })
  })

  test('DA-14 a purge names the folders that no other session names, in the bin or out of it', async () => {
    await using fixture = await open()
    const { store } = fixture
    const folders = { a: '/one', b: '/one', c: '/two', d: null }
    for (const [id, workspaceRoot] of Object.entries(folders))
      await store.sessions.create(newSession(id, { workspaceRoot }))
    const purge = async (id: string) => {
      await store.sessions.delete(id, ALONE)
      return (await store.sessions.purge(id)).workspaces
    }
    await store.sessions.delete('b', ALONE)
    const none = { unnamed: [], named: [] }
    expect(await purge('a')).toEqual(none)
    expect((await store.sessions.purge('b')).workspaces).toEqual({ unnamed: ['/one'], named: ['/two'] })
    expect(await purge('d')).toEqual(none)
    expect(await purge('c')).toEqual({ unnamed: ['/two'], named: [] })
  })

  test('DA-14 the bin is a list of its own, the last deleted first, with search', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    await store.sessions.setArchived('a', 2_000, 2_000)
    await store.sessions.delete('a', ALONE)
    await store.sessions.delete('c', { ...ALONE, at: 5_001 })
    expect(await ids(store, { deleted: true })).toEqual(['c', 'a'])
    expect(await ids(store, { deleted: true, limit: 1 })).toEqual(['c'])
    expect(await ids(store, { deleted: true, search: 'zeb' })).toEqual(['a'])
    expect(await ids(store, { deleted: true, agent: 'chat' })).toEqual(['c', 'a'])
    expect(await ids(store, { deleted: true, agent: 'coder' })).toEqual([])
    expect(await ids(store, { archived: true })).toEqual([])
    await store.sessions.restore('a', 6_000)
    expect(await ids(store, { archived: true })).toEqual(['a'])
  })

  test('DA-14 a deletion takes the sidecars and, when asked, all descendants, which come back with it', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    expect((await store.sessions.deletion('a', false)).toSorted()).toEqual(['a', 's'])
    expect((await store.sessions.deletion('a', true)).toSorted()).toEqual(['a', 'b', 'c', 's'])
    await store.sessions.delete('b', ALONE)
    const deleted = await store.sessions.delete('a', { withBranches: true, at: 5_000 })
    expect(deleted.map(({ id }) => id).toSorted()).toEqual(['a', 'c', 's'])
    const restored = await store.sessions.restore('a', 6_000)
    expect(restored.map(({ id }) => id).toSorted()).toEqual(['a', 'c', 's'])
    // What was deleted on its own, even at the same time, stays deleted.
    expect(await ids(store, { deleted: true })).toEqual(['b'])
    await store.sessions.restore('b', 6_001)
    expect(await store.sessions.get('b')).toMatchObject({ parentId: 'a', parentMessageId: 'm1' })
  })

  test('DA-14 a purge removes all rows in the bin and makes other children roots; nothing else is purged', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    await expect(store.sessions.purge('a')).rejects.toMatchObject({ code: 'CONFLICT' })
    await store.sessions.delete('a', ALONE)
    expect((await store.sessions.purge('a')).sessions.toSorted()).toEqual(['a', 's'])
    expect(await store.messages.get('a', 'm1')).toBeNull()
    expect(await store.sessions.get('b')).toMatchObject({ parentId: null, parentMessageId: null })
    expect(await store.sessions.restore('a', 6_000)).toEqual([])
    await expect(store.sessions.purge('a')).rejects.toMatchObject(GONE)
    expect(await ids(store, { deleted: true, ephemeral: true })).toEqual([])
    const next = await fixture.restart()
    expect(await ids(next, { deleted: true, ephemeral: true })).toEqual([])
  })

  test('DA-14 to every other method a session in the bin does not exist, and its ids stay taken', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    const lines = await exported(store, 'a')
    await store.queue.add(userMessage('a', 'q1', 'Later'), 3_000)
    await store.sessions.delete('a', ALONE)
    const calls = [
      () => store.sessions.rename('a', 'x', 6_000),
      () => store.sessions.setGeneratedTitle('a', 'x', 6_000),
      () => store.sessions.setArchived('a', 6_000, 6_000),
      () => store.sessions.setMetadata('a', {}, 6_000),
      () => store.sessions.delete('a', ALONE),
      () => store.sessions.deletion('a', true),
      () => store.queue.add(userMessage('a', 'm9', 'Go'), 6_000),
      () => store.queue.cancel('a', 'q1', 6_000),
      () => store.runs.begin(lease('a', 9), asks(userMessage('a', 'm8', 'Go'))),
      () => exported(store, 'a'),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject(GONE)
    await expect(store.sessions.create(newSession('a'))).rejects.toMatchObject({ code: 'CONFLICT' })
    const copy = await store.history.importRows(given(lines))
    expect(copy.id).not.toBe('a')
    await store.sessions.restore('a', 7_000)
    expect(await store.queue.list('a')).toHaveLength(1)
    expect((await ids(store)).toSorted()).toEqual(['a', copy.id].toSorted())
  })

  test('DA-14 a session that a run holds is not deleted', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    const run = lease('c', 1)
    await store.runs.begin(run, asks(userMessage('c', 'mc', 'Go')))
    const deletion = { withBranches: true, at: 5_000 }
    await expect(store.sessions.delete('a', deletion)).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    expect((await ids(store)).toSorted()).toEqual(['a', 'b', 'c'])
    await store.runs.end(run, null, 5_001)
    expect(await store.sessions.delete('a', deletion)).toHaveLength(4)
  })

  test('DA-14 what was deleted at or before a time has expired', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const id of ['a', 'b', 'c']) await store.sessions.create(newSession(id))
    await store.sessions.delete('a', { withBranches: false, at: 5_000 })
    await store.sessions.delete('b', { withBranches: false, at: 6_000 })
    expect(await store.sessions.expired(4_999)).toEqual([])
    expect(await store.sessions.expired(5_000)).toEqual(['a'])
    expect((await store.sessions.expired(9_000)).toSorted()).toEqual(['a', 'b'])
    await store.sessions.restore('a', 7_000)
    expect(await store.sessions.expired(9_000)).toEqual(['b'])
  })

  test('DA-14 two restores at once bring a session back once, and a purge after it changes nothing', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.delete('a', ALONE)
    const restored = await Promise.all([
      store.sessions.restore('a', 6_000),
      store.sessions.restore('a', 6_001),
    ])
    expect(restored.map(({ length }) => length).toSorted()).toEqual([0, 1])
    await expect(store.sessions.purge('a')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await store.sessions.get('a')).not.toBeNull()
  })

  test('UI-30 a session is located by its id and by the id of any of its messages, in the bin too', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    const located = async (id: string) => {
      const session = await store.sessions.locate(id)
      return session && [session.id, session.deletedAt]
    }
    expect(await located('a')).toEqual(['a', null])
    expect(await located('m1')).toEqual(['a', null])
    await store.sessions.delete('a', ALONE)
    expect(await located('a')).toEqual(['a', 5_000])
    expect(await located('m1')).toEqual(['a', 5_000])
    await store.sessions.purge('a')
    for (const id of ['a', 'm1', 'nowhere', '']) expect(await located(id)).toBeNull()
  })
}
