import type { Session } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { createSessionWorld } from '../testing/session-world.ts'
import { createSessionListStore, type ListPage } from './session-list-store.ts'

const {
  status: _,
  usage: __,
  contextWindow: ___,
  canUnrewind: ____,
  keepsFiles: _____,
  ...template
} = createSessionWorld('ses_0').snapshot(1).view

const rows = (count: number, from = 1_000): Session[] =>
  Array.from({ length: count }, (_row, at) => ({
    ...template,
    id: `s${from - at}`,
    updatedAt: from - at,
    revision: from - at,
  }))

/** A server that is asked page by page; each answer is given by hand. */
function setUp() {
  const asked: { query: { limit: number; cursor?: string }; answer: PromiseWithResolvers<ListPage> }[] = []
  const store = createSessionListStore('chats', (query) => {
    const answer = Promise.withResolvers<ListPage>()
    asked.push({ query, answer })
    return answer.promise
  })
  return { asked, store, ids: () => store.get().sessions.map(({ id }) => id) }
}

test('UI-1 the list is read again as far as it was read before, up to the largest page', async () => {
  const { asked, store } = setUp()
  const first = store.refresh()
  asked[0]?.answer.resolve({ items: rows(50), nextCursor: 'c' })
  await first
  const more = store.loadMore()
  asked[1]?.answer.resolve({ items: rows(50, 900), nextCursor: 'd' })
  await more
  void store.refresh()
  expect(asked.map(({ query }) => query.limit)).toEqual([50, 50, 100])
  expect(asked[1]?.query.cursor).toBe('c')
})

test('AP-2 of two fetches that overlap the later one counts, in whatever order they answer', async () => {
  const { asked, store, ids } = setUp()
  const [early, late] = [store.refresh(), store.refresh()]
  asked[1]?.answer.resolve({ items: rows(2), nextCursor: null })
  await late
  asked[0]?.answer.resolve({ items: rows(1, 500), nextCursor: 'old' })
  await early
  expect(ids()).toEqual(['s1000', 's999'])
  expect(store.get().nextCursor).toBeNull()
})

test('UI-1 more is asked for once at a time, and not beyond the end', async () => {
  const { asked, store } = setUp()
  await store.loadMore()
  expect(asked).toHaveLength(0)
  const first = store.refresh()
  asked[0]?.answer.resolve({ items: rows(1), nextCursor: 'c' })
  await first
  const more = store.loadMore()
  await store.loadMore()
  expect(asked).toHaveLength(2)
  asked[1]?.answer.resolve({ items: rows(1, 9), nextCursor: null })
  await more
  await store.loadMore()
  expect(asked).toHaveLength(2)
})

test('AP-2 what changes while the list is fetched is in it afterwards', async () => {
  const { asked, store, ids } = setUp()
  const first = store.refresh()
  const [fresh] = rows(1, 2_000)
  if (fresh) store.onEvent({ type: 'session-created', sessionId: fresh.id, session: fresh })
  asked[0]?.answer.resolve({ items: rows(1), nextCursor: null })
  await first
  expect(ids()).toEqual(['s2000', 's1000'])
})

test('UI-4 a list that met no server says so, and reads again when asked', async () => {
  const { asked, store } = setUp()
  const first = store.refresh()
  asked[0]?.answer.reject(new Error('Socket closed'))
  await first
  expect(store.get().phase).toEqual({ failed: 'The server can’t be reached.' })
  void store.refresh()
  asked[1]?.answer.resolve({ items: rows(1), nextCursor: null })
  await vi.waitFor(() => expect(store.get().phase).toBe('ready'))
})

test('UI-1 older chats that met no server leave the list as it was', async () => {
  const { asked, store, ids } = setUp()
  const first = store.refresh()
  asked[0]?.answer.resolve({ items: rows(1), nextCursor: 'c' })
  await first
  const more = store.loadMore()
  asked[1]?.answer.reject(new Error('Socket closed'))
  await more
  expect(ids()).toEqual(['s1000'])
  expect(store.get()).toMatchObject({ loadingMore: false, nextCursor: 'c' })
})

test('UI-4 a list that was refused is asked for again by itself, until it is read and not after', async () => {
  vi.useFakeTimers()
  try {
    const { asked, store, ids } = setUp()
    void store.refresh()
    for (const refused of [0, 1]) {
      asked[refused]?.answer.reject(new Error('Too many at once'))
      await vi.advanceTimersByTimeAsync(1_999)
      expect(asked).toHaveLength(refused + 1)
      await vi.advanceTimersByTimeAsync(1)
    }
    asked[2]?.answer.resolve({ items: rows(1), nextCursor: null })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toHaveLength(3)
    expect(ids()).toEqual(['s1000'])
  } finally {
    vi.useRealTimers()
  }
})

test('UI-4 a list that is read anew meanwhile is not asked for a third time', async () => {
  vi.useFakeTimers()
  try {
    const { asked, store } = setUp()
    void store.refresh()
    asked[0]?.answer.reject(new Error('Socket closed'))
    await vi.advanceTimersByTimeAsync(1_000)
    void store.refresh()
    asked[1]?.answer.resolve({ items: rows(1), nextCursor: null })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})
