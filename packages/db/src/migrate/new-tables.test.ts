import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { sessionMode } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import { asks, lease, planned, turn, userMessage } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { backupStore } from '../backup.ts'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, migrationNames } from './migrations.ts'

const RELEASE = fileURLToPath(new URL('../testing/release-0.1.0.db.gz', import.meta.url))
const HASH = 'a'.repeat(64)

async function releaseIn(folder: string): Promise<string> {
  const path = join(folder, 'release.db')
  await writeFile(path, gunzipSync(await readFile(RELEASE)))
  return path
}

/** An empty database with the migrations before the one whose name ends like this. */
async function databaseBefore(folder: string, ending: string): Promise<string> {
  const path = join(folder, 'before.db')
  const earlier = join(folder, 'migrations')
  await cp(MIGRATIONS, earlier, { recursive: true })
  const names = await migrationNames(earlier)
  const first = names.findIndex((name) => name.endsWith(ending))
  expect(first).toBeGreaterThan(0)
  for (const name of names.slice(first)) await rm(join(earlier, name), { recursive: true })
  await migrate(path, earlier)
  return path
}

function insertSession(path: string): void {
  const database = new Database(path)
  database.exec(
    `INSERT INTO chat_sessions (id, agent, model_json, created_at, updated_at)
     VALUES ('a', 'chat', '{"provider_id":"lab","model_id":"one"}', 1, 1)`,
  )
  database.close()
}

function open(path: string): Promise<Store> {
  return openStore({ url: `file:${path}`, clock: CLOCK })
}

function objectsIn(path: string): unknown[] {
  const database = new Database(path, { readonly: true })
  const tables = "('settings', 'providers', 'asks', 'blobs', 'blob_refs', 'project_permissions')"
  const found = database.prepare(`SELECT type, name, sql FROM sqlite_schema WHERE tbl_name IN ${tables}`)
  const rows = found.all()
  database.close()
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

/** Writes and reads one row of each kind that the earlier database had no table for. */
async function useNewTables(store: Store, sessionId: string): Promise<void> {
  expect(await store.settings.values()).toEqual(new Map())
  expect(await store.settings.providers()).toEqual([])
  expect(await store.asks.open(null)).toEqual([])
  expect(await store.permissions.ofWorkspaces()).toEqual([])
  expect(await store.blobs.ofSession(sessionId)).toEqual([])
  await store.settings.setValues(new Map([['instructions', 'Be brief']]), 9_000)
  const row = { label: null, baseURL: null, sealedKey: 'sealed', models: [], listed: [] }
  await store.settings.putProvider({ id: 'p', kind: 'openai', ...row }, 9_000)
  await store.blobs.add({ hash: HASH, size: 5, mediaType: 'image/png', owner: 'usr_local' }, 9_000)
  const picture = { type: 'file', mediaType: 'image/png', url: `/api/v1/blobs/${HASH}` } as const
  const message = userMessage(sessionId, 'm_new', 'Look')
  const run = lease(sessionId, 99)
  const parts = [picture, ...message.parts]
  await store.runs.begin(run, asks({ ...message, parts }))
  await store.runs.end(run, null, 9_001)
  await store.permissions.setMode(sessionId, 'plan', 9_002)
}

async function expectNewTables(store: Store, sessionId: string): Promise<void> {
  expect(await store.settings.values()).toEqual(new Map([['instructions', 'Be brief']]))
  expect((await store.settings.providers()).map(({ id, sealedKey }) => [id, sealedKey])).toEqual([
    ['p', 'sealed'],
  ])
  expect((await store.blobs.ofSession(sessionId)).map(({ hash }) => hash)).toEqual([HASH])
  expect(sessionMode((await store.sessions.get(sessionId))?.permissions ?? [])).toBe('plan')
}

test('RL-6 a database of an earlier release takes settings, providers, files, modes and asks, and keeps them', async () => {
  await using folder = await temporaryFolder()
  const path = await releaseIn(folder.path)
  {
    await using store = await open(path)
    await useNewTables(store, 'ses_b')
  }
  await using store = await open(path)
  await expectNewTables(store, 'ses_b')
})

test.for(['_session_moves', '_asks', '_bin', '_settings', '_blobs'])(
  'RL-6 a database from before the migration %s takes what later ones store',
  async (ending) => {
    await using folder = await temporaryFolder()
    const path = await databaseBefore(folder.path, ending)
    insertSession(path)
    {
      await using store = await open(path)
      expect(await store.sessions.get('a')).toMatchObject({ id: 'a', deletedAt: null, permissions: [] })
      await useNewTables(store, 'a')
    }
    await using store = await open(path)
    await expectNewTables(store, 'a')
  },
)

test('RL-6 DA-8 an earlier database and a new one have the same new tables and indexes', async () => {
  await using folder = await temporaryFolder()
  const [earlier, fresh] = [await releaseIn(folder.path), join(folder.path, 'fresh.db')]
  await migrate(earlier)
  await migrate(fresh)
  expect(objectsIn(earlier)).toEqual(objectsIn(fresh))
  expect(objectsIn(fresh).length).toBeGreaterThan(10)
})

test('RL-6 DA-8 a table of another hand under a new name leaves the database as it was', async () => {
  await using folder = await temporaryFolder()
  const path = await releaseIn(folder.path)
  const database = new Database(path)
  database.exec("CREATE TABLE blobs (mine TEXT); INSERT INTO blobs VALUES ('precious')")
  database.close()
  await expect(open(path)).rejects.toMatchObject({ code: 'STORE_ERROR' })
  const after = new Database(path, { readonly: true })
  expect(after.prepare('SELECT * FROM blobs').all()).toEqual([{ mine: 'precious' }])
  expect(after.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get()).toBeUndefined()
  expect(after.prepare('SELECT count(*) FROM chat_messages').pluck().get()).toBe(33)
  after.close()
})

test('RL-6 messages of an earlier release are left out and brought back', async () => {
  await using folder = await temporaryFolder()
  await using store = await open(await releaseIn(folder.path))
  const before = await store.messages.visible('ses_a')
  const lastSeq = (await store.history.outline('ses_a')).entries.at(-1)?.seq ?? 0
  const leftOut = before.map(({ id }) => id)
  await store.history.apply(planned('ses_a', 'op_out', { lastSeq, leftOut }, { kind: 'leaveout' }))
  const marked = await store.messages.visible('ses_a')
  expect(marked.every(({ metadata }) => metadata.leftOut === true)).toBe(true)
  const detail = { lastSeq, broughtBack: leftOut }
  await store.history.apply(planned('ses_a', 'op_back', detail, { kind: 'bringback' }))
  const after = await store.messages.visible('ses_a')
  expect(after.map(({ metadata, parts }) => ({ metadata, parts }))).toEqual(
    before.map(({ metadata, parts }) => ({ metadata, parts })),
  )
})

test('DA-12 RL-6 a database of an earlier release is copied before it has a table of blobs', async () => {
  await using folder = await temporaryFolder()
  const path = await releaseIn(folder.path)
  const target = join(folder.path, 'copies', 'copy.db')
  await backupStore(path, target)
  await using copy = await open(target)
  expect(await copy.reports.counts()).toEqual({ sessions: 6, messages: 33 })
  await turn(copy, 'ses_b', 'm_after')
  expect((await copy.reports.counts()).messages).toBe(35)
})
