import type { Store } from '@palimpsest/core/ports'
import {
  asks,
  exported,
  lease,
  newSession,
  planned,
  removeSession,
  replyWrite,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** What a disk, a bug or a hand may leave in a column that holds JSON. */
const BROKEN = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '5',
  '"text"',
  'true',
  '{}',
  '{"type":5}',
  '{"type":null}',
  '{"type":""}',
  '{"__proto__":{"x":1}}',
  '{"type":"text"}',
  '{"type":"text","text":5}',
  '{"type":"tool-read"}',
  '{"schema_version":"one"}',
  '{"usage":"much"}',
  '{"usage":{"input":"x"}}',
  '{"model":"gpt"}',
  '{"hidden":"all"}',
  '{"hidden":[[9,1],["a",null]]}',
  '{"created_at":"yesterday"}',
  '\u0000',
  '[[[[[[[[[[[[',
  '{"type":"text","text":"\ud800"}',
]

const places = [
  { table: 'chat_parts', column: 'data_json', where: "message_id = 'm1a'" },
  { table: 'chat_parts', column: 'type', where: "message_id = 'm1'" },
  { table: 'chat_parts', column: 'tool_state', where: "message_id = 'm1a'" },
  { table: 'chat_messages', column: 'metadata_json', where: "id = 'm1a'" },
  { table: 'chat_messages', column: 'role', where: "id = 'm1'" },
  { table: 'chat_messages', column: 'hidden_by', where: "id = 'm1'" },
  { table: 'history_ops', column: 'detail_json', where: '1' },
  { table: 'history_ops', column: 'kind', where: '1' },
  { table: 'chat_sessions', column: 'metadata_json', where: "id = 'a'" },
  { table: 'chat_sessions', column: 'model_json', where: "id = 'a'" },
  { table: 'chat_sessions', column: 'permissions_json', where: "id = 'a'" },
] as const

type Place = (typeof places)[number]

function damage(path: string, { table, column, where }: Place, value: string): void {
  const database = new Database(path)
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(value)
  database.close()
}

/** The bytes of everything that a person has written or read. */
function wordsIn(path: string): unknown {
  const database = new Database(path, { readonly: true })
  const rows = database.prepare('SELECT id, data_json FROM chat_parts ORDER BY id').all()
  database.close()
  return rows
}

/** Everything that reads a session. */
async function readAll(store: Store): Promise<string[]> {
  const { items } = await store.messages.page({ sessionId: 'a', limit: 50, hidden: true })
  await store.messages.visible('a')
  for (const { id } of items) await store.messages.get('a', id)
  await store.sessions.get('a')
  await store.sessions.list({ limit: 50, archived: false, ephemeral: true })
  await store.sessions.list({ limit: 50, archived: false, ephemeral: true, search: 'first' })
  await store.messages.search({ text: 'first', limit: 5 })
  await store.queue.list('a')
  await store.history.outline('a')
  await store.reports.usage({ since: 0, until: 1e12 })
  await exported(store, 'a')
  return items.map(({ id }) => id)
}

async function damagedStore() {
  const fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2', 'm3']) await turn(store, 'a', id, { question: `the first ${id}` })
  await store.history.apply(planned('a', 'op_1', { lastSeq: 6, hidden: [[5, 6]] }))
  await store.queue.add(userMessage('a', 'q', 'waits'), 9_000)
  return fixture
}

test.for(places)(
  'DA-11 with any value in $table.$column, all other rows are read, and none is rewritten',
  async (place) => {
    await using fixture = await damagedStore()
    const whole = await readAll(fixture.store)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BROKEN), async (value) => {
        damage(fixture.path, place, value)
        const before = wordsIn(fixture.path)
        expect(await readAll(fixture.store), value).toEqual(whole)
        expect(wordsIn(fixture.path)).toEqual(before)
      }),
      { numRuns: 8 },
    )
  },
)

test.for(places)('DA-11 with any value in $table.$column, the conversation continues', async (place) => {
  await using fixture = await damagedStore()
  const { store } = fixture
  let runs = 10
  for (const value of fc.sample(fc.constantFrom(...BROKEN), 6)) {
    damage(fixture.path, place, value)
    const run = lease('a', ++runs)
    await store.runs.begin(run, asks(userMessage('a', `n${runs}`, 'And now?')))
    await store.runs.end(
      run,
      replyWrite(run, `n${runs}a`, [{ type: 'text', text: 'Going on' }]),
      9_000 + runs,
    )
    const visible = await store.messages.visible('a')
    expect(visible.at(-1)?.id, value).toBe(`n${runs}a`)
  }
})

test('DA-11 a damaged session is renamed, archived and deleted like any other', async () => {
  await using fixture = await damagedStore()
  const { store } = fixture
  for (const place of places) damage(fixture.path, place, '{')
  expect(await store.sessions.rename('a', 'Rescued', 9_500)).toMatchObject({ title: 'Rescued' })
  await store.sessions.setArchived('a', 9_600, 9_600)
  await store.sessions.setArchived('a', null, 9_700)
  await store.queue.cancel('a', 'q', 9_800)
  await removeSession(store, 'a')
  expect(await store.sessions.get('a')).toBeNull()
})

test('DA-11 a damaged session is closed and opened again as it is', async () => {
  await using fixture = await damagedStore()
  for (const place of places) damage(fixture.path, place, '{')
  const before = wordsIn(fixture.path)
  const restarted = await fixture.restart()
  expect(await readAll(restarted)).toHaveLength(6)
  expect(wordsIn(fixture.path)).toEqual(before)
})
