import {
  fires,
  newSession,
  removeSession,
  replyWrite,
  type StoreFixture,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { SEARCH_VOCABULARY } from '../connect/reader.ts'
import { temporaryStore } from '../testing/temporary-store.ts'

/**
 * Reads that are about everything there is, about the few runs that are on, settings and providers, or about nothing; and the first
 * look for the log of a run that an earlier process began.
 */
const MEANT_WHOLE =
  /SELECT \(SELECT count\(\*\) FROM chat_sessions\)|FROM run_leases\s+WHERE waiting_on IS NULL AND \(coalesce\(expires_at, 0\) <= |NOT IN \(SELECT run_id FROM run_leases\)|FROM run_chunks WHERE run_id = \?$|FROM (settings|providers) ORDER BY|WHERE 1=0/

/** In order and limited, so no more is read than is answered; what a query has itself brought together; the bin, which is small. */
const HARMLESS =
  /^SCAN (.*VIRTUAL TABLE|.*CONSTANT ROW|found$|\(subquery|s USING INDEX chat_sessions_archived_idx$|.*USING INDEX chat_sessions_bin_idx$)/

/** Uses every method of the store, with each kind of list and search. */
async function useEverything({ store, restart }: Pick<StoreFixture, 'store' | 'restart'>): Promise<void> {
  for (const id of ['a', 'b', 'c'])
    await store.sessions.create(newSession(id, { parentId: id === 'c' ? 'a' : null }))
  for (const id of ['m1', 'm2', 'm3']) await turn(store, 'a', id, { question: 'zebra' })
  await store.sessions.rename('a', 'Animals', 3_000)
  await store.sessions.setGeneratedTitle('b', 'Made', 3_000)
  await store.sessions.setModel('b', { providerId: 'lab', modelId: 'two' }, 3_000)
  await store.sessions.setArchived('b', 3_000, 3_000)
  const list = { limit: 1, archived: false, ephemeral: false }
  const narrowed = [{}, { archived: true }, { agent: 'chat' }, { workspaceRoot: '/w' }, { parentId: 'a' }]
  for (const some of [...narrowed, { search: 'zebra' }, { search: 'ze', agent: 'chat' }]) {
    const { nextCursor } = await store.sessions.list({ ...list, ...some })
    await store.sessions.list({ ...list, ...some, cursor: nextCursor ?? '9000.0.z' })
  }
  await store.messages.get('a', 'm1')
  await store.messages.page({ sessionId: 'a', limit: 2, hidden: true, cursor: '3' })
  await store.messages.page({ sessionId: 'a', limit: 2, hidden: false })
  await store.messages.prompts({ sessionId: 'a', limit: 1, cursor: '3' })
  await store.messages.visible('a')
  await store.messages.systemPrompt('d')
  for (const sessionId of ['a', undefined]) {
    await store.messages.search({
      text: 'zebra',
      limit: 1,
      ...(sessionId === undefined ? {} : { sessionId }),
    })
  }
  for (const id of ['q1', 'q2', 'q3']) await store.queue.add(userMessage('a', id, 'later'), 4_000)
  await store.queue.edit(
    'a',
    'q1',
    { parts: [{ type: 'text', text: 'x' }], metadata: { steer: true } },
    4_001,
  )
  await store.queue.reorder('a', ['q3', 'q2', 'q1'], 4_002)
  await store.queue.cancel('a', 'q2', 4_003)
  await store.queue.cancelled({ sessionId: 'a', limit: 1, cursor: '9000' })
  await store.queue.restore('a', 'q2', 4_004)
  await store.queue.cancel('a', 'q2', 4_005)
  await store.queue.markForNextStart('a')
  await store.queue.takeMarked()
  const run = { runId: 'r1', sessionId: 'a', startedAt: 5_000, epoch: 1 }
  await store.runs.begin(run, fires(null))
  const write = replyWrite(run, 'r', [{ type: 'text', text: 'ok' }])
  await store.runs.takeSteering('r1', write)
  const usage = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
  const model = { providerId: 'lab', modelId: 'one' }
  const systemPrompt = { digest: 'd', body: 'x' }
  await store.runs.record(write)
  await store.runs.commitStep({
    ...write,
    usage,
    contextTokens: 1,
    contextEstimated: false,
    model,
    systemPrompt,
  })
  await store.runs.end(run, write, 5_002)
  await store.runs.begin({ ...run, runId: 'r2' }, { type: 'existing', change: null })
  await store.runs.renew(['r2'], 5_003)
  await store.runs.orphans(5_003)
  await store.reports.usage({ since: 0, until: 9_000 })
  await store.reports.counts()
  await store.reports.storage()
  await store.settings.setValues(new Map([['theme', 'dark']]), 5_003)
  await store.settings.setValues(new Map([['theme', null]]), 5_003)
  await store.settings.values()
  const names = { label: null, baseURL: null, sealedKey: null, models: [], listed: [] }
  await store.settings.putProvider({ id: 'p', kind: 'openai', ...names }, 5_003)
  await store.settings.providers()
  await store.settings.removeProvider('p')
  const next = await restart()
  const [orphan, ...others] = await next.runs.orphans(5_003)
  expect(others).toEqual([])
  const taken = orphan === undefined ? null : await next.runs.takeOver(orphan.lease, 5_003)
  if (taken !== null) await next.runs.end(taken, null, 5_004)
  await next.runs.dropLog('r1')
  await next.runs.log('r1')
  await next.sessions.deletion('a', true)
  await next.sessions.delete('a', { withBranches: true, at: 6_000 })
  await next.sessions.list({ ...list, deleted: true, search: 'zebra' })
  await next.sessions.restore('a', 6_001)
  await next.sessions.list({ ...list, deleted: true })
  await next.sessions.expired(6_002)
  await removeSession(next, 'a')
}

test('DA-5 no query of the product reads a whole table', async () => {
  const seen = new Set<string>()
  await using fixture = await temporaryStore({ observe: ({ sql }) => seen.add(sql) })
  await useEverything(fixture)
  const database = new Database(fixture.path, { readonly: true })
  database.exec(SEARCH_VOCABULARY)
  const scans = [...seen]
    .filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/i.test(sql) && !MEANT_WHOLE.test(sql))
    .flatMap((sql) => {
      const values = Array((sql.match(/\?/g) ?? []).length).fill('1')
      const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(values)
      return plan
        .filter(({ detail }) => detail.startsWith('SCAN') && !HARMLESS.test(detail))
        .map(({ detail }) => `${detail}: ${sql}`)
    })
  database.close()
  expect(seen.size).toBeGreaterThan(40)
  expect(scans).toEqual([])
})
