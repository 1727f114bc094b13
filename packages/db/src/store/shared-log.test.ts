import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChatChunk, initialReduction, reduceChunk } from '@palimpsest/core/domain'
import type { RecordWrite, RunLease, Store } from '@palimpsest/core/ports'
import { asks, lease, newSession, replyWrite, userMessage } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../migrate/migrate.ts'
import { MIGRATIONS, migrationNames } from '../migrate/migrations.ts'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder, temporaryStore } from '../testing/temporary-store.ts'

const START: ChatChunk[] = [
  { type: 'start', messageId: 'r', messageMetadata: { schemaVersion: 1, createdAt: 3_000 } },
  { type: 'text-start', id: 't' },
]
const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
const replyOf = ({ sessionId }: RunLease) => `${sessionId}_r`

async function begin(store: Store, sessionId: string): Promise<RunLease> {
  const run = lease(sessionId, 1)
  await store.sessions.create(newSession(sessionId))
  await store.runs.begin(run, asks(userMessage(sessionId, `${sessionId}_m`, 'Go')))
  return run
}

function appends(run: RunLease, ...chunks: ChatChunk[]): RecordWrite {
  const log = { runId: run.runId, epoch: run.epoch, chunks, open: null }
  return { ...replyWrite(run, replyOf(run), []), metadata: null, log }
}

function folds(run: RunLease, chunks: ChatChunk[], before: ChatChunk[] = []): RecordWrite {
  const { message, open } = [...before, ...chunks].reduce(reduceChunk, initialReduction(replyOf(run)))
  const log = { runId: run.runId, epoch: run.epoch, chunks, open }
  const write = replyWrite(run, replyOf(run), message.parts)
  return { ...write, metadata: { ...write.metadata, ...message.metadata }, log }
}

async function textOf(store: Store, run: RunLease): Promise<string | undefined> {
  const message = await store.messages.get(run.sessionId, replyOf(run))
  const part = message?.parts[0]?.data
  return part?.type === 'text' ? part.text : undefined
}

const numbers = async (store: Store, { runId }: RunLease) => (await store.runs.log(runId)).map(({ no }) => no)

test('LS-8 the rows of many runs are one table, in which each has its own log, and a log that goes takes no other row', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  const runs = await Promise.all(['a', 'b', 'c'].map((id) => begin(store, id)))
  for (const run of runs) await store.runs.record(folds(run, START))
  for (const text of ['one', 'two', 'three'])
    await Promise.all(runs.map((run) => store.runs.record(appends(run, delta(`${text} `)))))
  for (const run of runs) {
    expect(await numbers(store, run)).toEqual([1, 2, 3, 4])
    expect(await textOf(store, run)).toBe('one two three ')
  }
  for (const run of runs.slice(0, 2)) await store.runs.end(run, null, 4_000)
  await Promise.all(runs.map(({ runId }) => store.runs.dropLog(runId)))
  expect(await Promise.all(runs.map((run) => numbers(store, run)))).toEqual([[], [], [1, 2, 3, 4]])
  const [, , last] = runs
  if (last !== undefined) await store.runs.record(appends(last, delta('four')))
  expect(await Promise.all(runs.map((run) => numbers(store, run)))).toEqual([[], [], [1, 2, 3, 4, 5]])
})

test('LS-8 a write that is rolled back leaves no gap in the numbers', async () => {
  let failing = false
  await using fixture = await temporaryStore({
    observe: ({ sql }) => {
      if (failing && sql === 'COMMIT') throw new Error('The disk is gone')
    },
  })
  const { store } = fixture
  const run = await begin(store, 'a')
  await store.runs.record(folds(run, START))
  failing = true
  await expect(store.runs.record(appends(run, delta('lost')))).rejects.toMatchObject({ code: 'STORE_ERROR' })
  failing = false
  await store.runs.record(appends(run, delta('kept')))
  expect(await numbers(store, run)).toEqual([1, 2])
  expect(await textOf(store, run)).toBe('kept')
})

test('LS-8 DA-2 after a restart a run that waited goes on at the next number, and its new words are read with the rest', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  const other = await begin(store, 'b')
  for (const text of ['x', 'y', 'z']) await store.runs.record(appends(other, delta(text)))
  const run = await begin(store, 'a')
  const before = [...START, delta('before')]
  await store.runs.record(folds(run, before))
  await store.runs.end(other, null, 4_000)
  // Of the rows, those with the largest ids are gone.
  const next = await fixture.restart()
  await next.runs.dropLog('unclaimed')
  const database = new Database(fixture.path)
  database.exec('DELETE FROM run_chunks')
  database.close()
  const last = await fixture.restart()
  const [orphan] = await last.runs.orphans(9_000)
  const taken = orphan === undefined ? null : await last.runs.takeOver(orphan.lease, 9_000)
  if (taken === null) throw new Error('No run was left')
  await last.runs.record(appends(taken, delta(', after')))
  expect(await textOf(last, run)).toBe('before, after')
  await last.runs.record(folds(taken, [delta('.')], [...before, delta(', after')]))
  expect(await textOf(last, run)).toBe('before, after.')
})

test('DA-2 while a run appends, its writes look for nothing: a row each, and the transaction', async () => {
  const seen: string[] = []
  await using fixture = await temporaryStore({ observe: ({ sql }) => void seen.push(sql) })
  const { store } = fixture
  const run = await begin(store, 'a')
  await store.runs.record(folds(run, START))
  seen.length = 0
  await store.runs.record(appends(run, delta('one')))
  expect(seen.map((sql) => sql.split(' ')[0])).toEqual(['INSERT', 'COMMIT'])
})

test('RL-6 DA-2 a reply that an earlier release was writing is read whole, and ended', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  const earlier = join(folder.path, 'migrations')
  await cp(MIGRATIONS, earlier, { recursive: true })
  for (const name of await migrationNames(earlier))
    if (name.endsWith('_log_rows')) await rm(join(earlier, name), { recursive: true })
  await migrate(path, earlier)
  const database = new Database(path)
  database.exec(`
    INSERT INTO chat_sessions (id, agent, model_json, created_at, updated_at, last_seq)
      VALUES ('a', 'chat', '{"provider_id":"lab","model_id":"one"}', 1, 1, 1), ('b', 'chat', '{}', 1, 1, 0);
    INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, created_at, updated_at, run_id)
      VALUES ('a_r', 'a', 1, 'assistant', '{"schema_version":1,"created_at":1,"run_id":"run_a_1"}', 1, 1, 'run_a_1');
    INSERT INTO chat_parts (id, message_id, session_id, "index", type, data_json, created_at, updated_at)
      VALUES ('prt_1', 'a_r', 'a', 0, 'text', '{"type":"text","text":"one ","state":"streaming"}', 1, 1);
    INSERT INTO run_leases (session_id, run_id, owner, started_at, expires_at, epoch, message_id, folded_no, open_json)
      VALUES ('a', 'run_a_1', 'wrk_1', 2001, 1, 1, 'a_r', 2, '{"text":{"t":0},"reasoning":{}}'),
        ('b', 'run_b_1', 'wrk_1', 2002, 1, 1, NULL, 0, NULL);
  `)
  const insert = database.prepare('INSERT INTO run_chunks (run_id, no, epoch, chunks) VALUES (?, ?, 1, ?)')
  const rows: [string, number, ChatChunk[]][] = [
    ['run_a_1', 1, START],
    ['run_b_1', 1, START],
    ['run_a_1', 2, [delta('one ')]],
    ['run_a_1', 3, [delta('two ')]],
    ['run_a_1', 4, [delta('three')]],
  ]
  for (const [runId, no, chunks] of rows) insert.run(runId, no, JSON.stringify(chunks))
  database.close()
  await using store = await openStore({ url: `file:${path}`, clock: CLOCK })
  const run = lease('a', 1)
  expect(await textOf(store, run)).toBe('one two three')
  expect(await numbers(store, run)).toEqual([1, 2, 3, 4])
  expect(await numbers(store, lease('b', 1))).toEqual([1])
  const orphans = await store.runs.orphans(9_000)
  expect(orphans.map(({ lease: { runId } }) => runId)).toEqual(['run_a_1', 'run_b_1'])
  await store.runs.end(run, appends(run, { type: 'abort' }), 9_001)
  expect(await numbers(store, run)).toEqual([1, 2, 3, 4, 5])
})
