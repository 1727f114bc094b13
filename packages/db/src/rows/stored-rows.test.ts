import { newSession, planned, replyWrite, turn } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

function row(path: string, sql: string): unknown {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare(sql).get()
  } finally {
    database.close()
  }
}

test('DA-3 stored rows have snake_case keys, whole numbers for times and one row a part', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a', { metadata: { titledBy: 'user' } }))
  const run = { runId: 'run_1', sessionId: 'a', startedAt: 1_700_000_000_000, epoch: 1 }
  await store.runs.begin(run, { type: 'existing', change: null })
  const call = { type: 'tool-read' as const, toolCallId: 'c1', state: 'input-available' as const, input: {} }
  const write = replyWrite(run, 'r', [{ type: 'text', text: 'x' }, call], 1_700_000_000_001)
  const usage = { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5, steps: 1 }
  await store.runs.record({ ...write, metadata: { ...write.metadata, usage, partDurationsMs: { '0': 5 } } })
  expect(row(path, 'SELECT model_json, metadata_json FROM chat_sessions')).toEqual({
    model_json: '{"provider_id":"lab","model_id":"one"}',
    metadata_json: '{"titled_by":"user"}',
  })
  expect(
    row(path, 'SELECT metadata_json, created_at, typeof(created_at) AS type FROM chat_messages'),
  ).toEqual({
    metadata_json: JSON.stringify({
      schema_version: 1,
      created_at: 1_700_000_000_001,
      run_id: 'run_1',
      model: { provider_id: 'lab', model_id: 'one' },
      usage: { input: 1, output: 2, reasoning: 3, cache_read: 4, cache_write: 5, steps: 1 },
      part_durations_ms: { '0': 5 },
    }),
    created_at: 1_700_000_000_001,
    type: 'integer',
  })
  expect(
    row(path, 'SELECT type, tool_call_id, tool_state, data_json FROM chat_parts WHERE "index" = 1'),
  ).toEqual({
    type: 'tool-read',
    tool_call_id: 'c1',
    tool_state: 'input-available',
    data_json: JSON.stringify(call),
  })
})

test('DA-1 hiding is noted as a history operation that says what it hid', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id)
  const run = { runId: 'run_9', sessionId: 'a', startedAt: 9_000, epoch: 1 }
  const detail = { lastSeq: 4, hidden: [[2, 4] as [number, number]], targetMessageId: 'm1' }
  const change = planned('a', 'op_1', detail, { createdAt: 9_000 })
  await store.runs.begin(run, { type: 'existing', change })
  expect(row(path, 'SELECT * FROM history_ops')).toEqual({
    id: 'op_1',
    session_id: 'a',
    kind: 'rewind',
    detail_json: '{"last_seq":4,"hidden":[[2,4]],"shown":[],"target_message_id":"m1"}',
    created_at: 9_000,
    ordinal: 1,
  })
})
