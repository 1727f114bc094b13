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

const TABLES = [
  'chat_sessions',
  'chat_messages',
  'chat_parts',
  'history_ops',
  'system_prompts',
  'run_leases',
  'search_entries',
  'sqlite_sequence',
]

/** Everything that the file holds. */
function contents(path: string): unknown {
  const database = new Database(path, { readonly: true })
  try {
    const tables = TABLES.map((table) => database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all())
    return [...tables, database.prepare('SELECT rowid FROM search_index').all()]
  } finally {
    database.close()
  }
}

/** A store whose raw statement number `at` fails, counted from when that is set. Prisma reports its own once they are done. */
async function failingStore() {
  const faults = { at: Number.POSITIVE_INFINITY, seen: 0 }
  const fixture = await temporaryStore({
    observe: ({ sql }) => {
      if (sql.includes('`') || sql.startsWith('--')) return
      faults.seen += 1
      if (faults.seen > faults.at) throw new Error('The disk is gone')
    },
  })
  return { fixture, faults }
}

const OPERATIONS: [name: string, act: (store: Store) => Promise<unknown>][] = [
  ['a compaction', (store) => store.history.apply(compaction('a', 'op_1', { lastSeq: 4, to: 2 }))],
  [
    'a rewind that hides and shows',
    (store) => store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[2, 2]], shown: [[4, 4]] })),
  ],
  [
    'a pruning',
    (store) =>
      store.history.apply(
        planned('a', 'op_1', { lastSeq: 4 }, { kind: 'prune' }, { prune: ['prt_m1a_0'], unprune: ['x'] }),
      ),
  ],
  ['a branch', (store) => store.history.branch(branchOf('a', 'b', [1, 2, 3, 4]))],
  ['an import', async (store) => store.history.importRows(given(await exported(store, 'a')))],
  [
    'a message that replaces another',
    (store) =>
      store.runs.begin(
        { runId: 'run_1', sessionId: 'a', startedAt: 9_000, epoch: 1 },
        {
          type: 'message',
          message: userMessage('a', 'm9', 'Instead'),
          change: planned('a', 'op_1', { lastSeq: 4, hidden: [[3, 4]] }),
        },
      ),
  ],
]

test.for(OPERATIONS)('RW-3 %s is whole or not at all, whichever of its statements fails', async ([, act]) => {
  const { fixture, faults } = await failingStore()
  await using opened = fixture
  const { store, path } = opened
  await store.sessions.create(newSession('a', { metadata: { contextEstimated: true } }))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id, { question: 'zebra' })
  await store.history.apply(planned('a', 'op_0', { lastSeq: 4, hidden: [[4, 4]] }))
  const before = contents(path)
  let survived = 0
  for (let at = 0; ; at++) {
    Object.assign(faults, { at, seen: 0 })
    const outcome = await act(store).then(
      () => null,
      (error: unknown) => error,
    )
    faults.at = Number.POSITIVE_INFINITY
    if (outcome === null) break
    survived += 1
    expect(contents(path)).toEqual(before)
  }
  expect(survived).toBeGreaterThan(4)
  expect(contents(path)).not.toEqual(before)
})
