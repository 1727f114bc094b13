import type { ChatPart } from '@palimpsest/core/domain'
import {
  branchOf,
  newSession,
  planned,
  removeSession,
  replyWrite,
  type StoreFixture,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const HASH = 'a'.repeat(64)

/** All rules of all workspaces are listed, which are few. */
const MEANT_WHOLE = /FROM project_permissions\s+ORDER BY|SELECT \(SELECT count\(\*\) FROM chat_sessions\)/

/** What a query has itself brought together; the bin and the open asks, which are small and have an index of their own. */
const HARMLESS =
  /^SCAN (.*VIRTUAL TABLE|.*CONSTANT ROW|\(subquery|.*USING INDEX (chat_sessions_bin_idx|asks_open_idx)$)/

function fileOf(hash: string): ChatPart {
  return { type: 'file', mediaType: 'image/png', url: `/api/v1/blobs/${hash}` }
}

/** Stores, names, copies and collects files, asks, gives rules, leaves out, and reads all of it. */
async function useFilesAndRules({ store }: Pick<StoreFixture, 'store'>): Promise<void> {
  for (const id of ['a', 'b']) await store.sessions.create(newSession(id))
  await turn(store, 'a', 'm1')
  await store.blobs.add({ hash: HASH, size: 5, mediaType: 'image/png', owner: 'usr_local' }, 1_000)
  await store.blobs.get(HASH)
  await store.blobs.known([HASH])
  const waiting = { ...userMessage('a', 'q', 'Look'), parts: [fileOf(HASH)] }
  await store.queue.add(waiting, 2_000)
  await store.queue.edit('a', 'q', { parts: [] }, 3_000)
  await store.queue.edit('a', 'q', { parts: [fileOf(HASH)] }, 4_000)
  await store.blobs.ofSession('a')
  await store.blobs.collect(9_000)
  await store.history.branch(branchOf('a', 'c', [1, 2]))
  const leftOut = { lastSeq: 2, leftOut: ['m1'] }
  await store.history.apply(planned('a', 'op_1', leftOut, { kind: 'leaveout' }))
  await store.history.outline('a')
  const run = { runId: 'r1', sessionId: 'b', startedAt: 5_000, epoch: 1 }
  const message = userMessage('b', 'm2', 'Go')
  await store.runs.begin(run, { type: 'message', message, change: null })
  const request = { kind: 'answer', questions: [] } as const
  const place = {
    sessionId: 'b',
    rootSessionId: 'b',
    runId: 'r1',
    messageId: 'r',
    toolCallId: 'call_1',
    step: 1,
  }
  const ask = { ...place, request: { ...request, questions: [] }, reply: null, createdAt: 5_000 }
  await store.runs.ask(replyWrite(run, 'r', [{ type: 'text', text: 'May I?' }]), [
    { ...ask, id: 'p1' },
    { ...ask, id: 'p2' },
  ])
  await store.asks.open(null)
  await store.asks.open('b')
  await store.asks.ofRun('r1')
  const scope = { workspaceRoot: '/w' }
  const rule = { id: 'r1', permission: 'edit', pattern: '*', action: 'allow', source: 'project' } as const
  const reply = { type: 'approved', scope: 'project' } as const
  const grant = { askId: 'p1', reply, rule: { ...rule, createdAt: 1 }, scope, alsoAllowed: [], at: 6_000 }
  await store.permissions.grant(grant)
  await store.permissions.ofWorkspace('/w')
  await store.permissions.ofWorkspaces()
  await store.permissions.revoke('r1', scope, 6_000)
  await store.permissions.setMode('b', 'plan', 6_000)
  await store.runs.end(run, null, 7_000)
  await removeSession(store, 'a')
  await removeSession(store, 'b')
}

test('DA-5 no query about files, asks, rules, modes or left-out messages reads a whole table', async () => {
  const seen = new Set<string>()
  await using fixture = await temporaryStore({ observe: ({ sql }) => seen.add(sql) })
  await useFilesAndRules(fixture)
  const database = new Database(fixture.path, { readonly: true })
  const planned = [...seen].filter(
    (sql) =>
      /\b(blobs|blob_refs|asks|project_permissions|metadata_json)\b/.test(sql) &&
      /^\s*(SELECT|INSERT|UPDATE|DELETE)/i.test(sql) &&
      !MEANT_WHOLE.test(sql),
  )
  const scans = planned.flatMap((sql) => {
    const values = Array((sql.match(/\?/g) ?? []).length).fill('1')
    const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(values)
    return plan
      .filter(({ detail }) => detail.startsWith('SCAN') && !HARMLESS.test(detail))
      .map(({ detail }) => `${detail}: ${sql}`)
  })
  database.close()
  expect(planned.length).toBeGreaterThan(15)
  expect(scans).toEqual([])
})
