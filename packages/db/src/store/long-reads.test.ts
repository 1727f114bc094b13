import { newSession, planned } from '@palimpsest/testing'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const MESSAGES = 1_100

/** A store with a session of as many messages, and what its statements read, by turn of the event loop. */
async function longStore(messages: number) {
  const read: { turn: number; sql: string }[] = []
  let turn = 0
  const observe = ({ sql }: { sql: string }) => void read.push({ turn, sql })
  const fixture = await temporaryStore({ observe })
  await fixture.store.sessions.create(newSession('a'))
  addMessages(fixture.path, messages)
  return {
    ...fixture,
    /** Statements that `work` ran for messages or their parts, as lists of one turn each. */
    async statements(work: () => Promise<unknown>): Promise<string[][]> {
      read.length = 0
      let next = setImmediate(function count() {
        turn += 1
        next = setImmediate(count)
      })
      await work()
      clearImmediate(next)
      const bodies = read.filter(({ sql }) =>
        /chat_parts|chat_messages m|metadata_json|window_json/.test(sql),
      )
      return [...Map.groupBy(bodies, (one) => one.turn).values()].map((some) => some.map(({ sql }) => sql))
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

function addMessages(path: string, messages: number) {
  using file = Object.assign(new Sqlite(path), { [Symbol.dispose]: () => void file.close() })
  file.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${messages})
    INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, created_at, updated_at)
    SELECT 'm' || i, 'a', i, iif(i % 2 = 1, 'user', 'assistant'), '{"schema_version":1,"created_at":1}', 1, 1 FROM n;
    INSERT INTO chat_parts (id, message_id, session_id, "index", type, data_json, created_at, updated_at)
    SELECT id || 'p', id, 'a', 0, 'text', json_object('type', 'text', 'text', id), 1, 1 FROM chat_messages;
    UPDATE chat_sessions SET last_seq = ${messages} WHERE id = 'a'`)
}

const places = (found: readonly { seq: number | null }[]) => found.map(({ seq }) => seq)
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

test('SX-10 a long conversation is read 250 messages in a turn, all of them in order', async () => {
  await using fixture = await longStore(MESSAGES)
  const { store } = fixture
  const found: (number | null)[][] = []
  const readers = [
    async () => found.push(places(await store.messages.visible('a'))),
    async () => found.push(places(await store.history.messagesAt('a', [[1, MESSAGES]]))),
    async () =>
      found.push(
        places(
          await store.history.messagesAt(
            'a',
            upTo(MESSAGES).map((at) => [at, at]),
          ),
        ),
      ),
  ]
  for (const reader of readers) {
    const turns = await fixture.statements(reader)
    expect(turns.length).toBeGreaterThanOrEqual(Math.floor(MESSAGES / 250))
    // The messages of a page, and their parts.
    for (const some of turns) expect(some.length).toBeLessThanOrEqual(2)
  }
  expect(found).toEqual(readers.map(() => upTo(MESSAGES)))
  const visible = await store.messages.visible('a')
  expect(visible.flatMap(({ parts }) => parts.map(({ data }) => data))).toEqual(
    upTo(MESSAGES).map((at) => ({ type: 'text', text: `m${at}` })),
  )
})

test('SX-10 a conversation of at most 249 messages takes two statements and no turn', async () => {
  await using fixture = await longStore(249)
  const { store } = fixture
  const turns = await fixture.statements(() => store.messages.visible('a'))
  expect(turns.map((some) => some.length)).toEqual([2])
  const ranges = await fixture.statements(() => store.history.messagesAt('a', [[1, 249]]))
  expect(ranges.map((some) => some.length)).toEqual([2])
})

test('SX-10 the pages of a read are of one state, whatever is written between them', async () => {
  await using fixture = await longStore(MESSAGES)
  const { store } = fixture
  const reading = [store.messages.visible('a'), store.history.messagesAt('a', [[1, MESSAGES]])]
  const rewound = store.history.apply(planned('a', 'op_1', { lastSeq: MESSAGES, hidden: [[3, MESSAGES]] }))
  const [visible = []] = await Promise.all(reading)
  await rewound
  expect(places(visible)).toEqual(upTo(MESSAGES))
  expect(places(await store.messages.visible('a'))).toEqual([1, 2])
})

test('SX-10 messages between places that no message has are read, in ranges of any length', async () => {
  await using fixture = await longStore(600)
  const { store } = fixture
  const far = Number.MAX_SAFE_INTEGER
  expect(places(await store.history.messagesAt('a', [[590, far]]))).toEqual(upTo(600).slice(589))
  const mixed: [number, number][] = [
    [1, 2],
    [5, 400],
    [402, 402],
    [599, far],
  ]
  const wanted = upTo(600).filter((at) => mixed.some(([from, to]) => from <= at && at <= to))
  expect(places(await store.history.messagesAt('a', mixed))).toEqual(wanted)
})

test('SX-10 a message of more parts than one statement reads has them all, in order', async () => {
  await using fixture = await longStore(3)
  {
    using file = Object.assign(new Sqlite(fixture.path), { [Symbol.dispose]: () => void file.close() })
    file.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234)
      INSERT INTO chat_parts (id, message_id, session_id, "index", type, data_json, created_at, updated_at)
      SELECT 'x' || i, 'm2', 'a', i, 'text', json_object('type', 'text', 'text', 'x' || i), 1, 1 FROM n`)
  }
  const [, long, last] = await fixture.store.messages.visible('a')
  expect(long?.parts.map(({ index }) => index)).toEqual([0, ...upTo(1234)])
  expect(last?.parts).toHaveLength(1)
})

test('SX-10 the outline of a long session is read 2,000 entries in a turn', async () => {
  await using fixture = await longStore(4_500)
  const { store } = fixture
  const turns = await fixture.statements(async () => {
    expect(places((await store.history.outline('a')).entries)).toEqual(upTo(4_500))
  })
  expect(turns).toHaveLength(3)
})
