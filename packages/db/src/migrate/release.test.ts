import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { COLUMNS } from '@palimpsest/core/domain'
import { exported } from '@palimpsest/testing'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { checkCopies } from '../testing/check-copies.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'

/**
 * The file of a host of release 0.1.0 that was killed during a run: six sessions with rewinds, a compaction, pruned and
 * condensed outputs, a branch, a sidecar, an archived session, a queue and signed reasoning.
 */
const RELEASE = fileURLToPath(new URL('../testing/release-0.1.0.db.gz', import.meta.url))

const TABLES = [
  'chat_sessions',
  'chat_messages',
  'chat_parts',
  'history_ops',
  'system_prompts',
  'run_leases',
  'search_entries',
]

type Row = Record<string, unknown>

async function unpacked(folder: string): Promise<string> {
  const path = join(folder, 'release.db')
  await writeFile(path, gunzipSync(await readFile(RELEASE)))
  return path
}

/** The rows of each table, under the columns that it had in that release. */
function rowsOf(path: string): Map<string, Row[]> {
  const database = new Sqlite(path, { readonly: true })
  try {
    return new Map(
      TABLES.map((table) => [
        table,
        database.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY rowid`).all(),
      ]),
    )
  } finally {
    database.close()
  }
}

test('RL-6 a database of an earlier release opens with every row', async () => {
  await using folder = await temporaryFolder()
  const path = await unpacked(folder.path)
  const before = rowsOf(path)
  // Those without a folder worked in the first one of their server.
  const firstFolder = '/home/ana'
  for (const session of before.get('chat_sessions') ?? []) session['workspace_root'] ??= firstFolder
  const counts = TABLES.map((table) => before.get(table)?.length)
  expect(counts).toEqual([6, 33, 44, 6, 1, 1, 34])
  await using store = await openStore({ url: `file:${path}`, clock: CLOCK, firstFolder })
  const after = rowsOf(path)
  for (const [table, rows] of before) {
    expect(after.get(table)).toEqual(rows.map((row) => expect.objectContaining(row)))
  }
  checkCopies(path)
  expect(await store.reports.counts()).toEqual({ sessions: 6, messages: 33 })
  for (const session of before.get('chat_sessions') ?? []) {
    const id = String(session['id'])
    const lines = await exported(store, id)
    const of = (table: string) => (before.get(table) ?? []).filter((row) => row['session_id'] === id)
    const columns = Object.keys(COLUMNS.session)
    expect(lines[0]?.data).toEqual(Object.fromEntries(columns.map((name) => [name, session[name]])))
    for (const [type, table] of [
      ['message', 'chat_messages'],
      ['part', 'chat_parts'],
      ['history_op', 'history_ops'],
    ] as const) {
      const data = lines.filter((line) => line.type === type).map((line) => line.data)
      expect(data).toHaveLength(of(table).length)
      expect(data).toEqual(expect.arrayContaining(of(table)))
    }
  }
})

test('RL-6 a database of an earlier release is read, searched, recovered and written on', async () => {
  await using folder = await temporaryFolder()
  const path = await unpacked(folder.path)
  await using store = await openStore({ url: `file:${path}`, clock: CLOCK })
  const list = { limit: 9, archived: false, ephemeral: true }
  expect((await store.sessions.list(list)).items.map(({ id }) => id)).toEqual([
    'ses_b',
    'ses_a',
    'ses_q',
    'ses_side',
    'ses_dead',
  ])
  expect((await store.messages.visible('ses_a')).map(({ id }) => id)).toEqual([
    'msg_4',
    'msg_4a',
    'msg_5',
    'msg_5a',
    'msg_6',
    'msg_6a',
    'msg_7',
    'msg_7a',
    'sum_op_3',
  ])
  const found = await store.messages.search({ text: 'zebras', limit: 50 })
  expect(found.items.length).toBeGreaterThan(6)
  expect(await store.messages.systemPrompt('sha256-abc')).toBe('You are an assistant.\n')
  expect((await store.history.lastRewind('ses_a'))?.id).toBe('op_5')
  expect((await store.queue.list('ses_q')).map(({ id }) => id)).toEqual(['msg_q2', 'msg_q1'])
  const [orphan, ...others] = await store.runs.orphans(9_000)
  expect(others).toEqual([])
  expect(orphan).toMatchObject({ lease: { sessionId: 'ses_dead' }, message: { id: 'msg_d1a' } })
  if (orphan !== undefined) await store.runs.end(orphan.lease, null, 9_000)
  expect((await store.sessions.rename('ses_dead', 'Alive', 9_001)).title).toBe('Alive')
})
