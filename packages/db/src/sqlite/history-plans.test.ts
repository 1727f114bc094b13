import type { Store } from '@palimpsest/core/ports'
import {
  branchOf,
  compaction,
  exported,
  given,
  newSession,
  planned,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** Lists that a statement is given, and rows that it has found itself. */
const HARMLESS = /^SCAN (.*VIRTUAL TABLE|.*CONSTANT ROW|up$|down$|u$|used$|\(subquery)/

async function useHistory(store: Store): Promise<void> {
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id)
  await store.history.outline('a')
  await store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[3, 4]], shown: [[1, 1]] }))
  const parts = { prune: ['prt_m1a_0'], unprune: ['prt_m2a_0'], contextEstimated: true }
  await store.history.apply(planned('a', 'op_2', { lastSeq: 4 }, { kind: 'prune' }, parts))
  await store.history.apply(compaction('a', 'op_3', { lastSeq: 4, to: 2 }))
  const change = planned('a', 'op_4', { lastSeq: 5, hidden: [[5, 5]] })
  const run = { runId: 'r', sessionId: 'a', startedAt: 9_000, epoch: 1 }
  await store.runs.begin(run, { type: 'message', message: userMessage('a', 'm3', 'Go'), change })
  await store.runs.end(run, null, 9_001)
  await store.history.branch(branchOf('a', 'b', [1, 2, 3]))
  await store.history.messagesAt('a', [[1, 2]])
  await store.history.fileChangesAt('a', [[1, 2]])
  await store.history.lastRewind('a')
  await store.history.family('b')
  await store.history.importRows(given(await exported(store, 'a')))
}

test('DA-5 no history operation reads a whole table', async () => {
  const seen = new Set<string>()
  await using fixture = await temporaryStore({ observe: ({ sql }) => seen.add(sql) })
  await useHistory(fixture.store)
  const database = new Database(fixture.path, { readonly: true })
  const scans = [...seen]
    .filter((sql) => /^\s*(SELECT|INSERT|UPDATE|WITH)/i.test(sql) && !sql.includes('WHERE 1=0'))
    .flatMap((sql) => {
      const values = Array((sql.match(/\?/g) ?? []).length).fill('1')
      const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(values)
      return plan
        .filter(({ detail }) => detail.startsWith('SCAN') && !HARMLESS.test(detail))
        .map(({ detail }) => `${detail}: ${sql}`)
    })
  database.close()
  expect(seen.size).toBeGreaterThan(40)
  expect(scans).toEqual([])
})

test('RW-1 an operation looks its messages up by their places', async () => {
  const seen = new Set<string>()
  await using fixture = await temporaryStore({ observe: ({ sql }) => seen.add(sql) })
  await useHistory(fixture.store)
  const database = new Database(fixture.path, { readonly: true })
  const marking = [...seen].filter((sql) => sql.startsWith('UPDATE chat_messages SET hidden_at'))
  const plans = marking.map((sql) => {
    const values = Array((sql.match(/\?/g) ?? []).length).fill('1')
    const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(values)
    return plan.map(({ detail }) => detail).find((detail) => /SEARCH m /.test(detail))
  })
  database.close()
  expect(plans).toEqual(
    marking.map(() =>
      expect.stringMatching(/chat_messages_session_id_seq_key \(session_id=\? AND seq>\? AND seq<\?\)/),
    ),
  )
})
