import type { Store } from '@palimpsest/core/ports'
import {
  asks,
  branchOf,
  compaction,
  exported,
  fires,
  given,
  lease,
  newSession,
  planned,
  replyWrite,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCopies } from '../testing/check-copies.ts'
import { temporaryStore } from '../testing/temporary-store.ts'

type State = { store: Store; made: number; last: number }

const USAGE = { input: 5, output: 7, reasoning: 1, cacheRead: 2, cacheWrite: 3 }

/** Everything that writes messages, operations or metadata, on session `a`. */
const ACTS: Record<string, (state: State, id: string, at: number) => Promise<unknown>> = {
  turn: ({ store }, id) => turn(store, 'a', id),
  async step({ store }, id, at) {
    const run = lease('a', at)
    await store.runs.begin(run, asks(userMessage('a', id, 'Go')))
    const write = replyWrite(run, `${id}a`, [{ type: 'text', text: 'ok' }])
    const usage = { ...USAGE, steps: 1, unknown: true as const }
    const window = { tokens: 9, compactionId: 'op_x', estimated: true }
    await store.runs.record(write)
    await store.runs.commitStep({
      ...write,
      metadata: { ...write.metadata, usage, window, systemPromptDigest: 'd' },
      usage: USAGE,
      contextTokens: 9,
      contextEstimated: at % 2 === 0,
      model: { providerId: 'lab', modelId: 'two', variant: 'high' },
      systemPrompt: null,
    })
    await store.runs.end(run, null, at)
  },
  async queued({ store }, id, at) {
    await store.queue.add(userMessage('a', id, 'later'), at)
    await store.queue.edit('a', id, { metadata: { steer: true } }, at)
    const run = lease('a', at)
    await store.runs.begin(run, fires(null))
    await store.runs.end(run, null, at)
  },
  async steered({ store }, id, at) {
    const run = lease('a', at)
    await store.runs.begin(run, asks(userMessage('a', id, 'Go')))
    const steering = userMessage('a', `${id}s`, 'this too')
    await store.queue.add({ ...steering, metadata: { ...steering.metadata, steer: true } }, at)
    await store.runs.takeSteering(run.runId, replyWrite(run, `${id}a`, [{ type: 'text', text: 'x' }]))
    await store.runs.end(run, null, at)
  },
  rewind: ({ store, last }, id) =>
    store.history.apply(
      planned('a', id, { lastSeq: last, hidden: [[1, last]] }, {}, { contextEstimated: true }),
    ),
  compaction: ({ store, last }, id) => store.history.apply(compaction('a', id, { lastSeq: last, to: last })),
  condensed: ({ store }, _, at) =>
    store.history.keepCondensed({
      sessionId: 'a',
      messageId: 'm0',
      condensed: {},
      contextTokens: at,
      contextEstimated: false,
      at,
    }),
  refused: ({ store }) => expect(turn(store, 'a', 'm0')).rejects.toMatchObject({ code: 'CONFLICT' }),
  branch: ({ store, last }, id) =>
    store.history.branch(branchOf('a', id, [last, 1], { metadata: { ephemeral: true } })),
  metadata: ({ store }, _, at) => store.sessions.setMetadata('a', at % 2 ? { ephemeral: true } : {}, at),
  async import({ store }) {
    const lines = await exported(store, 'a')
    await store.history.importRows(given(lines))
  },
}

test('DA-3 DA-5 the last seq, ordinals and copies of JSON are right after whatever is written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 1, maxLength: 12 }),
      async (acts) => {
        await using fixture = await temporaryStore()
        const state: State = { store: fixture.store, made: 0, last: 0 }
        await state.store.sessions.create(newSession('a'))
        await turn(state.store, 'a', 'm0')
        for (const [index, act] of acts.entries()) {
          const { entries } = await state.store.history.outline('a')
          state.last = entries.at(-1)?.seq ?? 0
          await ACTS[act]?.(state, `n${index}`, 10_000 + index)
        }
        checkCopies(fixture.path)
      },
    ),
    { numRuns: 12 },
  )
})

test('DA-5 no query of the product reads inside JSON', async () => {
  const seen = new Set<string>()
  await using fixture = await temporaryStore({ observe: ({ sql }) => seen.add(sql) })
  const state: State = { store: fixture.store, made: 0, last: 2 }
  await state.store.sessions.create(newSession('a'))
  await turn(state.store, 'a', 'm0')
  for (const [index, act] of Object.values(ACTS).entries()) {
    state.last = (await state.store.history.outline('a')).entries.at(-1)?.seq ?? 0
    await act(state, `n${index}`, 10_000 + index)
  }
  await state.store.reports.usage({ since: 0, until: 1e12 })
  await state.store.sessions.list({ limit: 9, archived: false, ephemeral: false })
  await state.store.history.lastRewind('a')
  await state.store.runs.orphans(20_000)
  const inside = /json_extract|json_valid|json_set|json_type|json_array_length|_json\s*->/
  expect([...seen].filter((sql) => inside.test(sql))).toEqual([])
})

test('DA-5 usage is summed as it was written, also where the JSON is damaged afterwards', async () => {
  await using fixture = await temporaryStore()
  const state: State = { store: fixture.store, made: 0, last: 0 }
  await state.store.sessions.create(newSession('a'))
  await ACTS['step']?.(state, 'm1', 10_000)
  const database = new Database(fixture.path)
  database.exec("UPDATE chat_messages SET metadata_json = '{'")
  database.close()
  expect(await state.store.reports.usage({ since: 0, until: 1e12 })).toMatchObject([
    { model: { providerId: 'lab', modelId: 'one' }, usage: { ...USAGE, steps: 1, unknown: true } },
  ])
})
