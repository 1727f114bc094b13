import type { Session } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSessionWorld } from '../testing/session-world.ts'
import { initialSessionListState, reduceSessionList, type SessionListAction } from './session-list-state.ts'

const template = createSessionWorld('ses_0').snapshot(1).view

function session(id: string, updatedAt: number, fields: Partial<Session> = {}): Session {
  const { status: _, usage: __, contextWindow: ___, canUnrewind: ____, ...row } = template
  return { ...row, id, updatedAt, revision: updatedAt, ...fields }
}

const reduceAll = (actions: SessionListAction[], archived = false) =>
  actions.reduce(reduceSessionList, initialSessionListState(archived))

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
  const state = reduceAll([changed(archived), changed(session('b', 4))], true)
  expect(state.sessions).toEqual([archived])
})

test('UI-1 a session deleted while the list was fetched does not come back', () => {
  const state = reduceAll([
    { type: 'fetch-started' },
    { type: 'event', event: { type: 'session-deleted', sessionId: 'a' } },
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

test('RV-1 a session that ran when its server died reads idle once the list begins anew', () => {
  const busy = { state: 'busy', runId: 'run_1', startedAt: 0 } as const
  const state = reduceAll([
    { type: 'event', event: { type: 'status', sessionId: 'a', status: busy } },
    { type: 'fetch-started' },
  ])
  expect(state.statuses).toEqual({})
})
