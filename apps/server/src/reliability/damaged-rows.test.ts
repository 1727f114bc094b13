import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@palimpsest/core'
import { openStore } from '@palimpsest/db'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createCallWorld } from '../testing/attack/call-world.ts'
import { SESSION_READS } from '../testing/attack/procedure-inputs.ts'
import { startTestServer } from '../testing/index.ts'
import { longTalk } from '../testing/long-talk.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const LONG = process.env['TEST_PROFILE'] === 'long'

const deep = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`

/** Values that a disk error, a bug or an earlier version may leave in a JSON column. */
const JSONS = [
  '',
  '{',
  'null',
  '5',
  '"text"',
  '[null]',
  '{}',
  deep(100),
  deep(900),
  deep(20_000),
  '{"type":"text","text":null}',
  '{"type":"text","text":"x","providerMetadata":{"lab":null}}',
  '{"type":"tool-find","toolCallId":"call_2","state":"constructor"}',
  `{"type":"data-compaction","data":${deep(3_000)}}`,
  '{"usage":{"input":9e99,"output":"x","steps":null},"model":{"provider_id":5,"model_id":{}}}',
  '{"usage":{"input":9007199254740991,"output":9223372036854775807,"reasoning":-1}}',
  '{"finish_reason":5,"finishReason":{},"error":"x","window":{"tokens":"many"},"condensed":{"call_2":null}}',
  '{"hiddenAt":"x","prunedParts":5,"created_at":[],"part_durations_ms":{"0":"x"},"run_id":{}}',
  '{"ephemeral":{},"titled_by":5,"context_estimated":"x","compaction":[]}',
  '{"provider_id":null,"model_id":[]}',
  '{"last_seq":-1,"hidden":[[1]],"shown":[[2,1],null],"part_ids":[5,{}],"undoes":{}}',
  '{"last_seq":9e99,"hidden":[[0,9007199254740991]],"summary_seq":"x","from_model":5}',
  '{"__proto__":{"ephemeral":true},"constructor":1}',
]
const TEXTS = ['', 'constructor', '__proto__', '\u0000', 'x'.repeat(100_000)]
const NUMBERS = [0, -1, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER, 9_223_372_036_854_775_807n]
const OR_NULL = [null, ...NUMBERS]

/** Each column that is not a key, with the values that are stored in it. */
const COLUMNS: [table: string, column: string, values: readonly (string | number | bigint | null)[]][] = [
  ['chat_sessions', 'title', TEXTS],
  ['chat_sessions', 'agent', TEXTS],
  ['chat_sessions', 'workspace_root', [null, ...TEXTS]],
  ['chat_sessions', 'model_json', JSONS],
  ['chat_sessions', 'permissions_json', JSONS],
  ['chat_sessions', 'metadata_json', JSONS],
  ['chat_sessions', 'parent_message_id', [null, ...TEXTS]],
  ...['prompt_tokens', 'total_tokens', 'context_tokens', 'revision', 'created_at', 'updated_at'].map(
    (column): [string, string, typeof NUMBERS] => ['chat_sessions', column, NUMBERS],
  ),
  ['chat_sessions', 'cost_usd', [-1, 1e308, Number.POSITIVE_INFINITY]],
  ['chat_messages', 'role', TEXTS],
  ['chat_messages', 'metadata_json', JSONS],
  ['chat_messages', 'hidden_at', OR_NULL],
  ['chat_messages', 'hidden_by', [null, ...TEXTS]],
  ['chat_messages', 'created_at', NUMBERS],
  ['chat_messages', 'updated_at', NUMBERS],
  ['chat_parts', 'type', TEXTS],
  ['chat_parts', 'data_json', JSONS],
  ['chat_parts', 'tool_state', [null, ...TEXTS]],
  ['chat_parts', 'pruned_at', OR_NULL],
  ['history_ops', 'kind', TEXTS],
  ['history_ops', 'detail_json', JSONS],
  ['history_ops', 'created_at', NUMBERS],
]

async function openOn(path: string) {
  await using opened = new AsyncDisposableStack()
  const store = await openStore({ url: `file:${path}`, clock: systemClock })
  const server = opened.use(await startTestServer({ store }))
  server.provider.otherwise(reply({ text: 'Yes.' }))
  const world = createCallWorld(server.url, new Map())
  const held = opened.move()
  return { ...world, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

type Opened = Awaited<ReturnType<typeof openOn>>

/** A session with a rewind, a summary and a queue, for each value that will be stored in it. */
async function prepare({ call, untilIdle }: Opened, sessionId: string): Promise<void> {
  const talk = longTalk({ id: sessionId, turns: 4, output: 3_000, condensed: true })
  await call({ path: 'session.import', input: { data: talk } })
  const operate = (procedure: string, input: object) =>
    call({ path: `session.${procedure}`, input: { sessionId, ...input } })
  await operate('rewind', { messageId: `${sessionId}_5` })
  await operate('compact', {})
  await operate('branch', { fromMessageId: `${sessionId}_5` })
  const message = { parts: [{ type: 'text', text: 'Wait' }] }
  const sent = (await operate('send', { message })) as { runId: string }
  await operate('stream', { runId: sent.runId })
  await untilIdle(sessionId)
}

/** Every procedure that reads a session, and those that read all sessions. */
async function readAll({ call }: Opened, sessionId: string): Promise<unknown[]> {
  const calls = [
    ...SESSION_READS.map((path) => ({ path, input: { sessionId } })),
    { path: 'session.messages', input: { sessionId, hidden: true, limit: 200 } },
    { path: 'search.messages', input: { text: 'place', sessionId } },
    { path: 'search.messages', input: { text: 'place' } },
    { path: 'session.list', input: { search: 'Talk', ephemeral: true, limit: 200 } },
    { path: 'usage.report', input: { since: 0, until: 8.64e15 } },
  ]
  const answers: unknown[] = []
  for (const one of calls) {
    const answer = await call(one)
    expect([one.path, answer]).not.toEqual([one.path, null])
    answers.push(answer)
  }
  return answers
}

/** All values in the long profile, a sixth of them in the short one. */
const cases = COLUMNS.map(
  ([table, column, values]) => [table, column, values.filter((_, index) => LONG || index % 6 === 0)] as const,
)

test.for(cases)(
  'DA-11 for any value in %s.%s, every read answers, and other sessions are unchanged',
  { timeout: 120_000 },
  async ([table, column, values]) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'test.db')
    const other = (opened: Opened) =>
      Promise.all(
        ['get', 'messages', 'timeline', 'export'].map((name) =>
          opened.call({ path: `session.${name}`, input: { sessionId: 'other' } }),
        ),
      )
    let before: unknown
    {
      await using whole = await openOn(path)
      for (const id of ['other', ...values.map((_, index) => `w${index}`)]) await prepare(whole, id)
      before = await other(whole)
    }
    {
      // No server has the file open: two libraries of SQLite in one process do not see each other's locks.
      using file = new DatabaseSync(path)
      const owner = table === 'chat_sessions' ? 'id' : 'session_id'
      const damage = file.prepare(`UPDATE ${table} SET "${column}" = ? WHERE ${owner} = ?`)
      for (const [index, value] of values.entries()) damage.run(value, `w${index}`)
    }
    await using opened = await openOn(path)
    for (const [index] of values.entries()) await readAll(opened, `w${index}`)
    expect(await other(opened)).toEqual(before)
    for (const [index] of values.entries()) {
      const sessionId = `w${index}`
      for (const name of ['unrewind', 'uncompact', 'prune', 'unprune', 'compact', 'continue'])
        await opened.call({ path: `session.${name}`, input: { sessionId } })
      const message = { parts: [{ type: 'text', text: 'On' }] }
      await opened.call({ path: 'session.send', input: { sessionId, message } })
    }
    await opened.checkAll()
  },
)
