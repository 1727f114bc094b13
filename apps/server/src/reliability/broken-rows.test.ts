import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@palimpsest/core'
import { isToolPart } from '@palimpsest/core/domain'
import { openStore } from '@palimpsest/db'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createCallWorld } from '../testing/attack/call-world.ts'
import { startTestServer } from '../testing/index.ts'
import { longTalk } from '../testing/long-talk.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const LONG = process.env['TEST_PROFILE'] === 'long'

type Value = string | number | bigint | null

/** What a disk error, another program or an earlier version may leave in a column: no JSON, a huge number, an unknown word. */
const VALUES: readonly Value[] = ['{', 'constructor', 1.5e308, 9_223_372_036_854_775_807n, -1]

/** Columns that name rows; a row under another name is not this session's. */
const NAMES: ReadonlySet<string> = new Set(['id', 'session_id', 'message_id', 'run_id', 'digest', 'no'])

/** Tables whose rows belong to a session, and the column that names it. */
const TABLES: readonly [table: string, owner: string][] = [
  ['chat_sessions', 'id'],
  ['chat_messages', 'session_id'],
  ['chat_parts', 'session_id'],
  ['history_ops', 'session_id'],
  ['run_leases', 'session_id'],
  ['asks', 'session_id'],
  ['session_budgets', 'session_id'],
]

/** Tables of the whole server: one more row in each, broken in every column. */
const SHARED: readonly string[] = [
  'settings',
  'providers',
  'memories',
  'project_permissions',
  'workers',
  'store_meta',
]

const QUESTION = { questions: [{ question: 'Which?', options: [{ label: 'This' }] }] }

async function openOn(path: string) {
  await using opened = new AsyncDisposableStack()
  const store = await openStore({ url: `file:${path}`, clock: systemClock })
  const server = opened.use(await startTestServer({ store }))
  server.provider.otherwise(({ body }) => {
    const said = JSON.stringify(body)
    const asks = said.includes('Ask me') && !said.includes('This')
    return reply(
      asks ? { toolCalls: [{ name: 'question', input: QUESTION, id: 'call_q' }] } : { text: 'Yes.' },
    )
  })
  const world = createCallWorld(server.url, new Map())
  const held = opened.move()
  return { ...world, server, store, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

type Opened = Awaited<ReturnType<typeof openOn>>

/** A chat, one that waits for its person's answer, and one that is in the bin. */
async function prepare({ call, server, store }: Opened): Promise<void> {
  for (const id of ['good', 'binned'])
    await call({ path: 'session.import', input: { data: longTalk({ id, turns: 2, output: 100 }) } })
  await call({ path: 'session.rewind', input: { sessionId: 'good', messageId: 'good_3' } })
  await call({ path: 'session.delete', input: { sessionId: 'binned' } })
  const { id: sessionId } = (await call({ path: 'session.create', input: { title: 'Waits' } })) as {
    id: string
  }
  const message = { parts: [{ type: 'text', text: 'Ask me' }] }
  await call({ path: 'session.send', input: { sessionId, message } })
  await expect.poll(async () => (await store.asks.open(null)).length).toBe(1)
  await expect.poll(() => server.activeRuns).toBe(0)
}

type File = InstanceType<typeof DatabaseSync>

/** Copies a session with its rows, under names that begin with `prefix`. */
function copySession(file: File, sessionId: string, prefix: string): void {
  for (const [table, owner] of TABLES) {
    const rows = file.prepare(`SELECT * FROM ${table} WHERE ${owner} = ?`).all(sessionId)
    for (const row of rows) {
      const values = Object.entries(row).map(([name, value]) =>
        (NAMES.has(name) || name === 'root_session_id') && value !== null
          ? `${prefix}${String(value)}`
          : value,
      )
      const columns = Object.keys(row).map((name) => `"${name}"`)
      file
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...values)
    }
  }
}

/** Stores the value in the first row of a session in a table; false when the table does not take it. */
function damage(
  file: File,
  table: string,
  owner: string,
  sessionId: string,
  column: string,
  value: Value,
): boolean {
  try {
    const first = `(SELECT rowid FROM ${table} WHERE ${owner} = ? LIMIT 1)`
    return (
      file.prepare(`UPDATE ${table} SET "${column}" = ? WHERE rowid = ${first}`).run(value, sessionId)
        .changes === 1
    )
  } catch {
    return false
  }
}

function columnsOf(file: File, table: string): string[] {
  const columns = file.prepare(`PRAGMA table_info(${table})`).all()
  return columns.map(({ name }) => String(name)).filter((name) => !NAMES.has(name))
}

/** Each column of each table with each value; with one of the values in the short profile. */
function breaks(file: File): [table: string, owner: string, column: string, value: Value][] {
  const columns = TABLES.flatMap(([table, owner]) =>
    columnsOf(file, table).map((column) => [table, owner, column] as const),
  )
  return columns.flatMap((column, at) =>
    VALUES.filter((_, way) => LONG || way === at % VALUES.length).map(
      (value) => [...column, value] as [string, string, string, Value],
    ),
  )
}

/** Breaks a copy of `sessionId` in each of these ways. Returns how many there are. */
function plantAround(file: File, sessionId: string, kind: string): number {
  let planted = 0
  for (const [table, owner, column, value] of breaks(file)) {
    const prefix = `${kind}${planted}_`
    file.exec('SAVEPOINT one')
    copySession(file, sessionId, prefix)
    const isBroken = damage(file, table, owner, `${prefix}${sessionId}`, column, value)
    file.exec(isBroken ? 'RELEASE one' : 'ROLLBACK TO one; RELEASE one')
    planted += isBroken ? 1 : 0
  }
  return planted
}

/** A row without its parent in every table that has one. */
function plantOrphans(file: File, sessionId: string): void {
  for (const [table, owner] of TABLES.slice(1)) {
    const row = file.prepare(`SELECT * FROM ${table} WHERE ${owner} = ? LIMIT 1`).get(sessionId)
    if (row === undefined) continue
    const names = Object.keys(row)
    const values = names.map((name) => (NAMES.has(name) ? `lost_${table}` : (row[name] ?? null)))
    const columns = names.map((name) => `"${name}"`).join(', ')
    file
      .prepare(`INSERT INTO ${table} (${columns}) VALUES (${names.map(() => '?').join(', ')})`)
      .run(...values)
  }
  file.exec(`UPDATE chat_sessions SET parent_id = 'nobody', parent_message_id = 'nothing', root_id = 'nobody'
    WHERE id = (SELECT id FROM chat_sessions WHERE id LIKE 'live0_%')`)
}

function plantShared(file: File): void {
  for (const table of SHARED) {
    for (const [at, value] of VALUES.entries()) {
      const columns = file.prepare(`PRAGMA table_info(${table})`).all()
      const values = columns.map(({ pk }) => (pk === 1 ? `broken${at}` : value))
      const names = columns.map(({ name }) => `"${String(name)}"`).join(', ')
      const marks = columns.map(() => '?').join(', ')
      file.prepare(`INSERT OR IGNORE INTO ${table} (${names}) VALUES (${marks})`).run(...values)
    }
  }
}

async function listed({ call }: Opened): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = (await call({
      path: 'session.list',
      input: { limit: 200, ephemeral: true, ...(cursor !== undefined && { cursor }) },
    })) as { items: { id: string }[]; nextCursor: string | null } | null
    if (page === null) throw new Error('The list was refused')
    ids.push(...page.items.map(({ id }) => id))
    if (page.nextCursor === null || ids.length > 5_000) return ids
    cursor = page.nextCursor
  }
}

test('DA-11 no broken row stops the start, a list, the bin, a waiting run or a title of another session', {
  timeout: 300_000,
}, async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'test.db')
  let before: unknown
  let waits = ''
  {
    await using whole = await openOn(path)
    await prepare(whole)
    before = await whole.call({ path: 'session.messages', input: { sessionId: 'good' } })
    waits = (await whole.store.asks.open(null))[0]?.sessionId ?? ''
  }
  {
    // No server has the file open: two libraries of SQLite in one process do not see each other's locks.
    using file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    file.exec(`BEGIN; UPDATE chat_sessions SET deleted_at = 2, updated_at = 2 WHERE id = 'binned'`)
    const planted = [
      plantAround(file, 'good', 'live'),
      plantAround(file, waits, 'wait'),
      plantAround(file, 'binned', 'bin'),
    ]
    for (const count of planted) expect(count).toBeGreaterThan(40)
    plantOrphans(file, 'good')
    plantShared(file)
    // What is broken comes first in the bin, and among the runs that wait.
    file.exec(`UPDATE chat_sessions SET deleted_at = 3, updated_at = 3 WHERE id = 'binned'; COMMIT`)
  }
  await using opened = await openOn(path)
  const { call, store } = opened
  expect(await listed(opened)).toContain('good')
  expect(await call({ path: 'session.messages', input: { sessionId: 'good' } })).toEqual(before)
  await expect
    .poll(async () => (await store.sessions.locate('binned')) === null, { timeout: 60_000 })
    .toBe(true)

  expect(await call({ path: 'session.status', input: { sessionId: waits } })).toMatchObject({
    state: 'waiting',
  })
  const asked = (await call({ path: 'question.pending', input: { sessionId: waits } })) as {
    items: { id: string }[]
  }
  const answers = [['This']]
  await call({ path: 'question.answer', input: { questionId: asked.items[0]?.id, answers } })
  await expect
    .poll(async () => (await call({ path: 'session.status', input: { sessionId: waits } })) as object)
    .toMatchObject({ state: 'idle' })
  const messages = await store.messages.visible(waits)
  expect(messages.flatMap(({ parts }) => parts.map(({ data }) => data)).filter(isToolPart)).toMatchObject([
    { state: 'output-available' },
  ])

  const { id: sessionId } = (await call({ path: 'session.create', input: {} })) as { id: string }
  const message = { parts: [{ type: 'text', text: 'Hello' }] }
  await call({ path: 'session.send', input: { sessionId, message } })
  await expect.poll(async () => (await store.sessions.get(sessionId))?.title).toBe('A title')
})
