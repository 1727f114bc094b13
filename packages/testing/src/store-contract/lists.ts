import type { SessionQuery, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSession, type OpenFixture, turn } from './fixtures.ts'

const ALL: SessionQuery = { limit: 50, archived: false, ephemeral: false }

async function listed(store: Store, query: Partial<SessionQuery> = {}): Promise<string[]> {
  const { items } = await store.sessions.list({ ...ALL, ...query })
  return items.map((session) => session.id)
}

/** The ids of all pages, with `between` run after each. */
async function readToTheEnd(
  store: Store,
  limit: number,
  between: (page: number) => Promise<void>,
): Promise<string[]> {
  const first = await store.sessions.list({ ...ALL, limit })
  const seen = first.items.map(({ id }) => id)
  let cursor = first.nextCursor
  for (let page = 0; cursor !== null; page++) {
    await between(page)
    const found = await store.sessions.list({ ...ALL, limit, cursor })
    seen.push(...found.items.map(({ id }) => id))
    cursor = found.nextCursor
  }
  return seen
}

export function listContract(open: OpenFixture): void {
  test('DA-10 a list is ordered by (updatedAt, id), newest first, and pages meet without overlap', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await sessions.create(newSession(id, { at: 1_000 + Math.floor(index / 2) }))
    }
    const first = await sessions.list({ ...ALL, limit: 2 })
    const second = await sessions.list({ ...ALL, limit: 2, cursor: first.nextCursor ?? '' })
    const third = await sessions.list({ ...ALL, limit: 2, cursor: second.nextCursor ?? '' })
    const pages = [first, second, third].map(({ items }) => items.map(({ id }) => id))
    expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']])
    expect(third.nextCursor).toBeNull()
  })

  test('DA-10 no row is skipped or doubled while any rows are touched between pages', async () => {
    const scenario = fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      limit: fc.integer({ min: 1, max: 4 }),
      touched: fc.array(fc.array(fc.nat(11), { maxLength: 6 }), { maxLength: 14 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, limit, touched }) => {
        await using fixture = await open()
        const { sessions } = fixture.store
        for (let at = 0; at < count; at++) await sessions.create(newSession(`s${at}`, { at }))
        let now = 100
        const touch = async (page: number) => {
          const numbers = (touched[page] ?? []).filter((number) => number < count)
          for (const number of numbers) await sessions.rename(`s${number}`, `t${now}`, now++)
        }
        const seen = await readToTheEnd(fixture.store, limit, touch)
        expect(seen.toSorted()).toEqual(Array.from({ length: count }, (_, at) => `s${at}`).toSorted())
      }),
      { numRuns: 15 },
    )
  }, 30_000)

  test('DA-10 an invalid cursor is bad input of the field cursor', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const bad = { code: 'INVALID_INPUT', field: 'cursor' }
    for (const cursor of ['', 'x', '1', "1.1.' OR 1=1", '1.1.a.b\n']) {
      await expect(store.sessions.list({ ...ALL, cursor })).rejects.toMatchObject(bad)
      const pages = store.messages.page({ sessionId: 'a', limit: 1, hidden: false, cursor: `${cursor}!` })
      await expect(pages).rejects.toMatchObject(bad)
      await expect(
        store.messages.search({ text: 'a', limit: 1, cursor: `${cursor}!` }),
      ).rejects.toMatchObject(bad)
    }
  })

  test('DA-5 a list is narrowed by state, kind, parent, agent and workspace', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.create(newSession('b', { agent: 'coder' }))
    await store.sessions.create(newSession('c', { workspaceRoot: '/w' }))
    await store.sessions.create(newSession('d', { parentId: 'a', agent: 'coder' }))
    await store.sessions.create(newSession('e', { parentId: 'a', metadata: { ephemeral: true } }))
    await store.sessions.setArchived('b', 5, 5)
    expect(await listed(store)).toEqual(['d', 'c', 'a'])
    expect(await listed(store, { archived: true })).toEqual(['b'])
    expect(await listed(store, { ephemeral: true })).toEqual(['e', 'd', 'c', 'a'])
    expect(await listed(store, { parentId: 'a', ephemeral: true })).toEqual(['e', 'd'])
    expect(await listed(store, { agent: 'coder' })).toEqual(['d'])
    expect(await listed(store, { agent: 'coder', archived: true })).toEqual(['b'])
    expect(await listed(store, { workspaceRoot: '/w' })).toEqual(['c'])
    expect(await listed(store, { workspaceRoot: '/w', agent: 'coder' })).toEqual([])
  })

  test('DA-10 a search of sessions finds titles and messages, in the order of the list and in pages', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) await store.sessions.create(newSession(id, { at }))
    await store.sessions.rename('a', 'Zebra plans', 10)
    await turn(store, 'b', 'm1', { answer: 'the zebras are here', at: 20 })
    await turn(store, 'c', 'm2', { answer: 'nothing to see', at: 30 })
    expect(await listed(store, { search: 'zeb' })).toEqual(['b', 'a'])
    expect(await listed(store, { search: 'ZEBRA' })).toEqual(['b', 'a'])
    expect(await listed(store, { search: 'plans zebra' })).toEqual(['a'])
    expect(await listed(store, { search: '!?' })).toEqual([])
    const first = await store.sessions.list({ ...ALL, search: 'zeb', limit: 1 })
    const second = await store.sessions.list({
      ...ALL,
      search: 'zeb',
      limit: 1,
      cursor: first.nextCursor ?? '',
    })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['b', 'a'])
    await store.sessions.rename('a', 'Lion plans', 40)
    expect(await listed(store, { search: 'zeb' })).toEqual(['b'])
    expect(await listed(store, { search: 'lion' })).toEqual(['a'])
  })
}
