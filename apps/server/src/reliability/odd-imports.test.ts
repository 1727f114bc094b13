import { reply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Counts, count, createCallWorld } from '../testing/attack/call-world.ts'
import { createFailureLog } from '../testing/attack/failure-log.ts'
import { generatedCount } from '../testing/attack/generated-count.ts'
import { made } from '../testing/attack/hostile-values.ts'
import { oddities, type Row, readExport, withOddities, writeExport } from '../testing/attack/odd-export.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { longTalk } from '../testing/long-talk.ts'

const IMPORTS = generatedCount('GENERATED_IMPORTS', { short: 80, long: 10_000 })

type World = ReturnType<typeof createCallWorld>
type SessionId = { sessionId: string }

/** A session after every kind of operation: calls, rewinds, a summary, pruned outputs, queued messages. */
async function wanderedTalk(world: World): Promise<Row[]> {
  await world.call({
    path: 'session.import',
    input: { data: longTalk({ id: 'w', turns: 5, output: 3_000, condensed: true }) },
  })
  const sessionId = 'w'
  const call = (path: string, input: object = {}) =>
    world.call({ path: `session.${path}`, input: { sessionId, ...input } })
  const send = (text: string) => call('send', { message: { parts: [{ type: 'text', text }] } })
  await call('uncondense', { messageId: 'w_2', toolCallId: 'call_2' })
  await call('recondense', { messageId: 'w_2', toolCallId: 'call_2' })
  await call('rewind', { messageId: 'w_9' })
  await call('unrewind')
  await call('prune')
  await call('rewind', { messageId: 'w_7' })
  await call('compact')
  const sent = (await send('Look at the list')) as { runId: string }
  await world.call({ path: 'session.stream', input: { sessionId, runId: sent.runId } })
  await world.untilIdle(sessionId)
  await call('branch', { fromMessageId: 'w_3' })
  await send('and then?')
  await send('and after that?')
  const { data } = (await call('export')) as { data: string }
  await world.call({ path: 'session.delete', input: { sessionId } })
  return readExport(data)
}

/** Every operation on a session; each call is answered or refused by name. */
async function callAll(world: World, { sessionId }: SessionId, rows: Row[]): Promise<void> {
  const call = (path: string, input: object = {}) => world.call({ path, input: { sessionId, ...input } })
  const page = (await call('session.messages', { hidden: true, limit: 200 })) as {
    items: { id: string; role: string }[]
  }
  const users = page.items.filter(({ role }) => role === 'user')
  const [first, middle, last] = [users[0], users[users.length >> 1], users.at(-1)]
  for (const path of ['session.events', 'session.stream']) await call(path)
  await call('session.fit', { model: { providerId: 'lab', modelId: 'm1' } })
  await call('session.systemPrompt', { messageId: page.items.at(-1)?.id ?? 'none' })
  await world.call({ path: 'search.messages', input: { text: 'place', sessionId } })
  await world.call({ path: 'session.list', input: { search: 'talk', ephemeral: true } })
  const operations = rows.filter(({ type }) => type === 'history_op').map(({ data }) => data['id'])
  for (const operationId of operations.slice(0, 3)) await call('session.unrewind', { operationId })
  for (const one of [middle, first]) await call('session.rewind', { messageId: one?.id ?? 'none' })
  await call('session.unrewind')
  await call('session.uncompact')
  await call('session.unprune')
  await call('session.uncondense', { messageId: page.items[1]?.id ?? 'none', toolCallId: 'call_2' })
  await call('session.branch', { fromMessageId: last?.id ?? 'none' })
  await call('session.compact')
  await call('session.prune')
  const queued = (await call('queue.list')) as { id: string }[]
  await call('queue.reorder', { messageIds: queued.map(({ id }) => id).toReversed() })
  await call('queue.cancel', { messageId: queued[0]?.id ?? 'none' })
  const message = { parts: [{ type: 'text', text: 'Go on' }] }
  const sent = (await call('session.send', { message })) as { runId?: string } | null
  if (sent?.runId !== undefined) await call('session.stream', { runId: sent.runId })
  await call('session.resend', { messageId: first?.id ?? 'none' })
  await call('session.abort')
  await call('session.continue')
  await call('session.abort')
  await call('session.rename', { title: 'Renamed' })
  await call('session.archive')
  await call('session.unarchive')
}

async function importByRest({ url }: TestServer, data: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/sessions/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: data,
  })
  await response.text()
  return response.status
}

test('RL-7 SX-12 a malformed export is imported and then supports every operation, or is refused and stores nothing', async ({
  annotate,
}) => {
  const { logger, failures } = createFailureLog()
  await using server = await startTestServer({ store: 'sqlite', ports: { logger } })
  server.provider.otherwise(({ body }) =>
    JSON.stringify(body['messages'] ?? '').includes('"tool"')
      ? reply({ text: 'Done.' })
      : reply({ text: 'Let me see.', toolCalls: [{ name: 'todo', input: { todos: [] } }] }),
  )
  const counts: Counts = new Map()
  const world = createCallWorld(server.url, counts)
  const whole = await wanderedTalk(world)
  expect(new Set(whole.map(({ type }) => type))).toEqual(
    new Set(['session', 'message', 'part', 'history_op', 'system_prompt']),
  )
  const total = async () => (await server.ports.store.reports.counts()).sessions
  await fc.assert(
    fc.asyncProperty(oddities, async (odd) => {
      const rows = made(withOddities(whole, odd), () => undefined) as Row[]
      const data = writeExport(rows)
      const before = await total()
      const session = (await world.call({ path: 'session.import', input: { data } })) as { id: string } | null
      count(counts, session === null ? 'refused' : 'imported')
      if (session === null) {
        expect(await importByRest(server, data)).toBe(400)
        expect(await total()).toBe(before)
        return
      }
      const sessionId = session.id
      const { data: again } = (await world.call({ path: 'session.export', input: { sessionId } })) as {
        data: string
      }
      const copy = await world.call({ path: 'session.import', input: { data: again } })
      expect(copy).not.toBeNull()
      await callAll(world, { sessionId }, rows)
      await world.checkAll()
      expect(failures).toEqual([])
      for (const { id } of [session, copy as { id: string }])
        expect(await world.call({ path: 'session.delete', input: { sessionId: id } })).toEqual({
          deleted: true,
        })
    }),
    { numRuns: IMPORTS },
  )
  const calls = [...counts].reduce((sum, [what, times]) => sum + (what.startsWith('status') ? times : 0), 0)
  expect(counts.get('imported')).toBeGreaterThan(IMPORTS / 10)
  await annotate(`${counts.get('imported')} imported, ${counts.get('refused')} refused, ${calls} calls`)
}, 3_600_000)
