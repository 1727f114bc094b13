import type { Ask } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import { asks, lease, newSession, removeSession, replyWrite, userMessage } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** What a disk or a hand may leave in a column that holds JSON. */
const NO_REQUEST = ['', '{', 'null', '5', '"text"', '[]', '{}', '{"kind":5}', '{"kind":"wish"}', '\u0000']
const NO_REPLY = ['', '{', 'null', '5', '"text"', '[]', '{}', '{"type":5}', '{"type":"perhaps"}']

const APPROVAL: Ask['request'] = {
  kind: 'approval',
  tool: 'write',
  args: { path: 'a.txt', content: '“東京” 😀\u0000' },
  reason: 'No rule.',
  patterns: ['src/*', '*'],
  requirements: [{ permission: 'edit', pattern: 'a.txt' }],
}
const QUESTION: Ask['request'] = {
  kind: 'answer',
  questions: [{ question: 'Which?', options: [{ label: 'Left' }, { label: 'Right' }], multiple: true }],
}

function askOf(id: string, request: Ask['request'], createdAt: number): Ask {
  const place = {
    sessionId: 'a',
    rootSessionId: 'a',
    runId: 'run_a_1',
    messageId: 'r',
    toolCallId: `call_${id}`,
    step: 1,
  }
  return { id, ...place, request, reply: null, createdAt }
}

const ASKS = [askOf('p1', APPROVAL, 3_000), askOf('p2', QUESTION, 3_000), askOf('p3', APPROVAL, 3_001)]

async function askedStore() {
  const fixture = await temporaryStore()
  await fixture.store.sessions.create(newSession('a'))
  const run = lease('a', 1)
  await fixture.store.runs.begin(run, asks(userMessage('a', 'm', 'Go')))
  await fixture.store.runs.ask(replyWrite(run, 'r', [{ type: 'text', text: 'May I?' }]), ASKS)
  return { ...fixture, run }
}

function change(path: string, sql: string, ...values: string[]): void {
  const database = new Database(path)
  database.prepare(sql).run(...values)
  database.close()
}

const idsOf = (found: readonly Ask[]) => found.map(({ id }) => id)
const openIds = async (store: Store) => idsOf(await store.asks.open('a'))

test('DA-4 asks come back as they were written, in the order of their time and id', async () => {
  await using fixture = await askedStore()
  const store = await fixture.restart()
  expect(await store.asks.ofRun('run_a_1')).toEqual(ASKS)
  expect(await store.asks.open(null)).toEqual(ASKS)
  expect(await store.asks.get('p2')).toEqual(ASKS[1])
  expect(await store.asks.open('b')).toEqual([])
  expect(await store.asks.ofRun('run_none')).toEqual([])
})

test.for(NO_REQUEST)(
  'DA-11 an ask whose request is %j is left out, and the others are read',
  async (json) => {
    await using fixture = await askedStore()
    change(fixture.path, "UPDATE asks SET request_json = ? WHERE id = 'p1'", json)
    const { store } = fixture
    expect(await openIds(store)).toEqual(['p2', 'p3'])
    expect(idsOf(await store.asks.ofRun('run_a_1'))).toEqual(['p2', 'p3'])
    expect(await store.asks.get('p1')).toBeNull()
  },
)

test.for(NO_REPLY)('DA-11 an ask whose reply is %j is left out and not open again', async (json) => {
  await using fixture = await askedStore()
  const { store } = fixture
  await store.asks.reply('p1', { type: 'denied' }, 4_000)
  change(fixture.path, "UPDATE asks SET reply_json = ? WHERE id = 'p1'", json)
  expect(await store.asks.get('p1')).toBeNull()
  expect(idsOf(await store.asks.ofRun('run_a_1'))).toEqual(['p2', 'p3'])
  expect(await openIds(store)).toEqual(['p2', 'p3'])
})

test('DA-11 a damaged ask takes no reply, gives no rule, and keeps what is stored', async () => {
  await using fixture = await askedStore()
  const { store } = fixture
  change(fixture.path, "UPDATE asks SET request_json = '{' WHERE id = 'p1'")
  await expect(store.asks.reply('p1', { type: 'denied' }, 4_000)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  const rule = { id: 'r1', permission: 'edit', pattern: '*', action: 'allow', source: 'project' } as const
  const reply = { type: 'approved', scope: 'project' } as const
  const grant = { reply, rule: { ...rule, createdAt: 1 }, scope: { workspaceRoot: '/w' }, at: 4_000 }
  await expect(store.permissions.grant({ ...grant, askId: 'p1', alsoAllowed: ['p2'] })).rejects.toMatchObject(
    { code: 'INVALID_INPUT' },
  )
  expect(await store.permissions.ofWorkspaces()).toEqual([])
  expect(await openIds(store)).toEqual(['p2', 'p3'])
  const given = await store.permissions.grant({ ...grant, askId: 'p2', alsoAllowed: ['p1', 'p3'] })
  expect(idsOf(given)).toEqual(['p2', 'p3'])
  const database = new Database(fixture.path, { readonly: true })
  const row = database.prepare("SELECT request_json, reply_json, replied_at FROM asks WHERE id = 'p1'").get()
  database.close()
  expect(row).toEqual({ request_json: '{', reply_json: null, replied_at: null })
})

test('DA-11 the end of a run cancels its damaged asks too, and a purge removes them', async () => {
  await using fixture = await askedStore()
  const { store, run } = fixture
  change(fixture.path, "UPDATE asks SET request_json = '[' WHERE id = 'p1'")
  await store.runs.end(run, null, 5_000)
  change(fixture.path, 'UPDATE asks SET request_json = ?', JSON.stringify(QUESTION))
  expect((await store.asks.ofRun('run_a_1')).map(({ reply }) => reply)).toEqual([
    { type: 'cancelled' },
    { type: 'cancelled' },
    { type: 'cancelled' },
  ])
  await removeSession(store, 'a')
  const database = new Database(fixture.path, { readonly: true })
  expect(database.prepare('SELECT count(*) FROM asks').pluck().get()).toBe(0)
  database.close()
})
