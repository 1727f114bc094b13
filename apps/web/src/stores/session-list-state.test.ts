import type { Session } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSessionWorld } from '../testing/session-world.ts'
import {
  initialSessionListState,
  type ListKind,
  reduceSessionList,
  type SessionListAction,
} from './session-list-state.ts'

const template = createSessionWorld('ses_0').snapshot(1).view

function session(id: string, updatedAt: number, fields: Partial<Session> = {}): Session {
  const { status: _, usage: __, contextWindow: ___, canUnrewind: ____, keepsFiles: _____, ...row } = template
  return { ...row, id, updatedAt, revision: updatedAt, ...fields }
}

const reduceAll = (actions: SessionListAction[], kind: ListKind = 'chats') =>
  actions.reduce(reduceSessionList, initialSessionListState(kind))

const deleted = (id: string, at = 1_000) =>
  ({ type: 'session-deleted', sessionId: id, session: session(id, at, { deletedAt: at }) }) as const

const changed = (row: Session): SessionListAction => ({
  type: 'event',
  event: { type: 'session-changed', sessionId: row.id, session: row },
})

test('UI-1 a session that changes moves to the top, an archived one leaves, a new one appears', () => {
  const state = reduceAll([
    { type: 'fetch-started' },
    { type: 'fetched', page: { items: [session('b', 2), session('a', 1)], nextCursor: null } },
    changed(session('a', 3)),
    changed(session('b', 4, { archivedAt: 4 })),
    changed(session('c', 5)),
  ])
  expect(state.sessions.map(({ id }) => id)).toEqual(['c', 'a'])
})

test('UI-1 the archive lists what is archived and nothing else', () => {
  const archived = session('a', 3, { archivedAt: 3 })
  const state = reduceAll([changed(archived), changed(session('b', 4))], 'archive')
  expect(state.sessions).toEqual([archived])
})

test('UI-1 a session deleted while the list was fetched does not come back', () => {
  const state = reduceAll([
    { type: 'fetch-started' },
    { type: 'event', event: deleted('a') },
    { type: 'fetched', page: { items: [session('a', 1)], nextCursor: null } },
  ])
  expect(state.sessions).toEqual([])
})

test('AP-2 changes of sessions in any order end in the same list', () => {
  const change = fc.record({ id: fc.constantFrom('a', 'b', 'c'), at: fc.integer({ min: 1, max: 1_000 }) })
  const changes = fc.uniqueArray(change, { selector: ({ id, at }) => `${id}${at}` })
  fc.assert(
    fc.property(changes, (list) => {
      const actions = list.map(({ id, at }) => changed(session(id, at)))
      expect(reduceAll(actions.toReversed()).sessions).toEqual(reduceAll(actions).sessions)
    }),
  )
})

const busy = { state: 'busy', runId: 'run_1', startedAt: 0 } as const
const isBusy: SessionListAction = { type: 'event', event: { type: 'status', sessionId: 'a', status: busy } }

test('RV-1 a session that ran when its server died reads idle once a subscription begins anew', () => {
  expect(reduceAll([isBusy, { type: 'subscribed' }, { type: 'fetch-started' }]).statuses).toEqual({})
})

test('UI-1 a session that runs keeps its status through every fetch, whether that succeeds or fails', () => {
  const fetched: SessionListAction = {
    type: 'fetched',
    page: { items: [session('a', 1)], nextCursor: null },
  }
  const fetches: SessionListAction[][] = [
    [{ type: 'fetch-started' }, isBusy, fetched],
    [isBusy, { type: 'fetch-started' }, fetched, { type: 'fetch-started' }, fetched],
    [isBusy, { type: 'fetch-started' }, { type: 'fetch-failed', message: 'No answer.' }],
    [isBusy, { type: 'more-started' }, { type: 'more-failed' }, { type: 'fetch-started' }],
  ]
  for (const actions of fetches) expect(reduceAll(actions).statuses).toEqual({ a: busy })
})

test('UI-1 a session that is deleted keeps no status', () => {
  const gone: SessionListAction = { type: 'event', event: deleted('a') }
  expect(reduceAll([isBusy, gone]).statuses).toEqual({})
})

test('UI-1 a session deleted while more were fetched does not come back, nor while a fetch was overtaken', () => {
  const page = (cursor: string | null, ...ids: string[]) => ({
    items: ids.map((id, at) => session(id, 10 - at)),
    nextCursor: cursor,
  })
  const gone: SessionListAction = { type: 'event', event: deleted('b') }
  const more = reduceAll([
    { type: 'fetched', page: page('c1', 'a') },
    { type: 'more-started' },
    gone,
    { type: 'more-fetched', cursor: 'c1', page: page(null, 'b', 'c') },
  ])
  expect(more.sessions.map(({ id }) => id)).toEqual(['a', 'c'])
  const overtaken = reduceAll([
    { type: 'fetch-started' },
    gone,
    { type: 'fetch-started' },
    { type: 'fetched', page: page(null, 'a', 'b') },
  ])
  expect(overtaken.sessions.map(({ id }) => id)).toEqual(['a'])
})

test('AP-2 older chats that answer after the list began anew leave no gap', () => {
  const state = reduceAll([
    { type: 'fetched', page: { items: [session('c', 3)], nextCursor: 'at-c' } },
    { type: 'more-started' },
    { type: 'fetch-started' },
    { type: 'fetched', page: { items: [session('e', 5)], nextCursor: 'at-e' } },
    { type: 'more-fetched', cursor: 'at-c', page: { items: [session('a', 1)], nextCursor: null } },
  ])
  expect(state).toMatchObject({ nextCursor: 'at-e', loadingMore: false })
  expect(state.sessions.map(({ id }) => id)).toEqual(['e'])
})

test('UI-1 a question on the side is in no list, and one that is kept appears', () => {
  const aside = session('s', 1, { metadata: { ephemeral: true } })
  expect(reduceAll([changed(aside)]).sessions).toEqual([])
  const kept = session('s', 2)
  expect(reduceAll([changed(aside), changed(kept)]).sessions).toEqual([kept])
})

test('UI-1 the session of a subagent is in no list', () => {
  const subagent = { ancestors: ['a'], callerAgent: 'assistant', askId: null }
  expect(reduceAll([changed(session('s', 1, { metadata: { subagent } }))]).sessions).toEqual([])
})

test('UI-1 a chat that is archived goes from one list to the other, and back', () => {
  const events = [session('a', 1), session('a', 2, { archivedAt: 2 }), session('a', 3)].map(changed)
  const ids = (count: number, kind: ListKind) =>
    reduceAll(events.slice(0, count), kind).sessions.map(({ id }) => id)
  expect([1, 2, 3].map((count) => ids(count, 'chats'))).toEqual([['a'], [], ['a']])
  expect([1, 2, 3].map((count) => ids(count, 'archive'))).toEqual([[], ['a'], []])
})

test('UI-32 a deleted chat goes to the bin, from where it comes back or is removed', () => {
  const restored = session('a', 2_000)
  const events: SessionListAction[] = [
    changed(session('a', 1)),
    { type: 'event', event: deleted('a') },
    { type: 'event', event: { type: 'session-restored', sessionId: 'a', session: restored } },
    { type: 'event', event: deleted('a', 3_000) },
    { type: 'event', event: { type: 'session-purged', sessionId: 'a' } },
    { type: 'fetched', page: { items: [session('a', 1)], nextCursor: null } },
  ]
  const ids = (count: number, kind: ListKind) =>
    reduceAll(events.slice(0, count), kind).sessions.map(({ id }) => id)
  expect([1, 2, 3, 4, 5, 6].map((count) => ids(count, 'chats'))).toEqual([['a'], [], ['a'], [], [], []])
  expect([1, 2, 3, 4, 5].map((count) => ids(count, 'bin'))).toEqual([[], ['a'], [], ['a'], []])
})

test('UI-1 a title event renames its chat alone', () => {
  const state = reduceAll([
    changed(session('a', 2)),
    changed(session('b', 1)),
    { type: 'event', event: { type: 'title', sessionId: 'b', title: 'Iron gall' } },
  ])
  expect(state.sessions.map(({ title }) => title)).toEqual([template.title, 'Iron gall'])
})

test('UI-4 a list that could not be fetched keeps what it shows; with nothing shown it says why', () => {
  const failed: SessionListAction = { type: 'fetch-failed', message: 'No answer.' }
  expect(reduceAll([failed]).phase).toEqual({ failed: 'No answer.' })
  const state = reduceAll([
    { type: 'fetched', page: { items: [session('a', 1)], nextCursor: null } },
    { type: 'fetch-started' },
    failed,
  ])
  expect(state).toMatchObject({ phase: 'ready', sinceFetch: null })
  expect(state.sessions).toHaveLength(1)
})

test('UI-1 older chats that could not be fetched can be asked for again', () => {
  const state = reduceAll([
    { type: 'fetched', page: { items: [session('a', 1)], nextCursor: 'c' } },
    { type: 'more-started' },
    { type: 'more-failed' },
  ])
  expect(state).toMatchObject({ loadingMore: false, nextCursor: 'c' })
})
