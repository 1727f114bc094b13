import { newSession, replyWrite, turn } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

function damage(path: string, sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

const DAMAGES = [
  ['bad JSON', `UPDATE chat_parts SET data_json = '{"type":"te' WHERE message_id = 'm1a'`, 'no JSON'],
  ['JSON that is no part', `UPDATE chat_parts SET data_json = '[1]' WHERE message_id = 'm1a'`, 'no part'],
  ['another type than its column', `UPDATE chat_parts SET type = 'file' WHERE message_id = 'm1a'`, 'no part'],
  [
    'an unknown type',
    `UPDATE chat_parts SET type = 'wibble', data_json = '{"type":"wibble"}' WHERE message_id = 'm1a'`,
    'unknown',
  ],
  ...['constructor', '__proto__', 'toString'].map(
    (type) =>
      [
        `the type ${type}, a name that every object has,`,
        `UPDATE chat_parts SET type = '${type}', data_json = '{"type":"${type}"}' WHERE message_id = 'm1a'`,
        'unknown',
      ] as const,
  ),
] as const

for (const [what, sql, reason] of DAMAGES) {
  test(`DA-11 a part with ${what} shows as unreadable, and the rest of the session loads`, async () => {
    await using fixture = await temporaryStore()
    await fixture.store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2']) await turn(fixture.store, 'a', id)
    damage(fixture.path, sql)
    const { items } = await fixture.store.messages.page({ sessionId: 'a', limit: 9, hidden: false })
    expect(items.map(({ id }) => id)).toEqual(['m1', 'm1a', 'm2', 'm2a'])
    const data = { partId: 'prt_m1a_0', reason: expect.stringContaining(reason) }
    expect(items[1]?.parts.map((part) => part.data)).toEqual([{ type: 'data-unreadable', data }])
    expect(items[3]?.parts[0]?.data).toEqual({ type: 'text', text: 'Hi' })
    expect((await fixture.store.messages.visible('a')).map(({ id }) => id)).toHaveLength(4)
  })
}

test('DA-11 an unreadable part is never overwritten by its replacement', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1')
  damage(fixture.path, DAMAGES[0][1])
  const message = await store.messages.get('a', 'm1a')
  const run = { runId: 'run_2', sessionId: 'a', startedAt: 2_000, epoch: 1 }
  await store.runs.begin(run, { type: 'existing', change: null })
  await store.runs.record(replyWrite(run, 'm1a', message?.parts.map(({ data }) => data) ?? []))
  const database = new Database(fixture.path, { readonly: true })
  const kept = database.prepare("SELECT data_json FROM chat_parts WHERE message_id = 'm1a'").get()
  database.close()
  expect(kept).toEqual({ data_json: '{"type":"te' })
})

test('DA-11 a message with bad metadata or an unknown role keeps its parts and says so', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id)
  damage(fixture.path, "UPDATE chat_messages SET metadata_json = '{' WHERE id = 'm1'")
  damage(fixture.path, "UPDATE chat_messages SET role = 'wizard' WHERE id = 'm2'")
  const visible = await store.messages.visible('a')
  for (const index of [0, 2]) {
    expect(visible[index]?.parts.map(({ data }) => data.type)).toEqual(['text', 'data-unreadable'])
    expect(visible[index]?.metadata).toMatchObject({ schemaVersion: 1, createdAt: 2_000 })
  }
  expect(await store.reports.usage({ since: 0, until: 9_000 })).toHaveLength(1)
})

test('DA-11 a session row with bad JSON still opens and still lists', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  for (const id of ['a', 'b']) await store.sessions.create(newSession(id))
  damage(
    fixture.path,
    "UPDATE chat_sessions SET metadata_json = '{', model_json = '', permissions_json = '1' WHERE id = 'a'",
  )
  expect(await store.sessions.get('a')).toMatchObject({
    metadata: {},
    permissions: [],
    model: { providerId: 'unknown', modelId: 'unknown' },
  })
  const { items } = await store.sessions.list({ limit: 9, archived: false, ephemeral: false })
  expect(items.map(({ id }) => id)).toEqual(['b', 'a'])
})
