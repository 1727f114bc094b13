import { createId, type ExportRowType } from '@palimpsest/core/domain'
import type { ImportLine, Store } from '@palimpsest/core/ports'
import { branchOf, given, newSession, planned } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const MESSAGES = 10_000
const PARAGRAPH = 'The quick brown fox jumps over the lazy dog, and some more words follow it home. '

/** The rows of a session of turns, each reply with a tool call. */
function* longSession(): Generator<ImportLine> {
  let number = 0
  const line = (type: ExportRowType, data: Record<string, unknown>) => ({ type, data, number: ++number })
  const { at, model: _, ...session } = newSession('unused')
  const zero = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cache_read: 0, cache_write: 0 }
  const links = { workspace_root: null, worker_id: null, parent_id: null, parent_message_id: null }
  const model_json = '{"provider_id":"lab","model_id":"one"}'
  const json = { model_json, permissions_json: '[]', metadata_json: '{}' }
  const times = { created_at: at, updated_at: at }
  const { title, agent } = session
  const sums = { ...zero, total_tokens: 0, context_tokens: 0, cost_usd: 0, revision: 1, archived_at: null }
  yield line('session', { id: 'a', title, agent, ...links, ...json, ...sums, ...times })
  const ids = Array.from({ length: MESSAGES }, () => createId('msg'))
  for (const [index, id] of ids.entries()) {
    const role = index % 2 === 0 ? 'user' : 'assistant'
    const usage = { input: 1, output: 0, reasoning: 0, cache_read: 0, cache_write: 0, steps: 1 }
    const metadata_json = JSON.stringify({
      schema_version: 1,
      created_at: 1,
      usage,
      window: { tokens: index },
    })
    const hidden = { hidden_at: null, hidden_by: null, queued_at: null }
    yield line('message', { id, session_id: 'a', seq: index + 1, role, metadata_json, ...hidden, ...times })
  }
  for (const [place, message_id] of ids.entries()) {
    const part = (index: number, type: string, data: object) => {
      const owner = { id: createId('prt'), message_id, session_id: 'a', index, type }
      const call = index === 0 ? {} : { toolCallId: message_id, state: 'output-available', input: {} }
      const tool = { tool_call_id: call.toolCallId ?? null, tool_state: call.state ?? null, pruned_at: null }
      const data_json = JSON.stringify({ type, ...call, ...data })
      return line('part', { ...owner, data_json, ...tool, ...times })
    }
    yield part(0, 'text', { text: `${PARAGRAPH.repeat(4)}${place}` })
    if (place % 2 === 1) yield part(1, 'tool-read', { output: PARAGRAPH.repeat(20) })
  }
}

/** What something took: milliseconds, and how many statements. */
type Figures = { ms: number; statements: number }

async function measured(count: { statements: number }, work: () => Promise<unknown>): Promise<Figures> {
  count.statements = 0
  const begun = performance.now()
  await work()
  return { ms: Math.round(performance.now() - begun), statements: count.statements }
}

/** Does everything once to a session of 10,000 messages. */
async function measureEach(store: Store, count: { statements: number }): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  const act = async (name: string, work: () => Promise<unknown>) =>
    figures.set(name, await measured(count, work))
  const seqs = Array.from({ length: MESSAGES }, (_, index) => index + 1)
  const most: [number, number] = [2, MESSAGES]
  const lastSeq = MESSAGES
  await act('import', () => store.history.importRows(given(longSession())))
  await act('outline', () => store.history.outline('a'))
  await act('rewind', () => store.history.apply(planned('a', 'op_1', { lastSeq, hidden: [most] })))
  await act('last rewind', () => store.history.lastRewind('a'))
  await act('unrewind', () =>
    store.history.apply(planned('a', 'op_2', { lastSeq, shown: [most] }, { kind: 'unrewind' })),
  )
  await act('branch', () => store.history.branch(branchOf('a', 'b', seqs)))
  await act('branch of 1,000', () => store.history.branch(branchOf('a', 'c', seqs.slice(0, 1_000))))
  await act('export', async () => {
    let rows = 0
    for await (const _ of store.history.exportRows('b')) rows += 1
    expect(rows).toBe(1 + MESSAGES * 2.5)
  })
  return figures
}

test('PF-6 ten thousand messages: an operation costs as many statements as in a short session, a branch a few more for each batch', async ({
  annotate,
}) => {
  const count = { statements: 0 }
  await using fixture = await temporaryStore({ observe: () => (count.statements += 1) })
  const figures = await measureEach(fixture.store, count)
  for (const [name, { ms, statements }] of figures)
    await annotate(`${name}: ${ms} ms, ${statements} statements`)
  const statements = (name: string) => figures.get(name)?.statements ?? Number.NaN
  for (const name of ['outline', 'rewind', 'last rewind', 'unrewind', 'export']) {
    expect(statements(name)).toBeLessThan(16)
  }
  expect(statements('branch')).toBeLessThan(statements('branch of 1,000') * 10)
  expect(await fixture.store.messages.visible('b')).toHaveLength(MESSAGES)
  // Generous: figures say how long it takes, this only that nothing grows out of hand.
  expect(Math.max(...[...figures.values()].map(({ ms }) => ms))).toBeLessThan(20_000)
}, 120_000)
