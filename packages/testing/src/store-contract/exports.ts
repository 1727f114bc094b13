import type { Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { sha256 } from '../../../core/src/domain/values/sha256.ts'
import {
  asks,
  compaction,
  exported,
  given,
  lease,
  newSession,
  type OpenFixture,
  removeSession,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

const PROMPT = { digest: await sha256('Be brief.'), body: 'Be brief.' }

/** A session `a` with something in every table. */
async function withEverything(store: Store): Promise<void> {
  await store.sessions.create(newSession('a', { metadata: { titledBy: 'user' } }))
  for (const id of ['z', 'm']) await turn(store, 'a', id)
  await store.history.apply(compaction('a', 'op_2', { lastSeq: 4, to: 2 }))
  const run = lease('a', 1)
  await store.runs.begin(run, asks(userMessage('a', 'b', 'Go')))
  const { metadata, ...write } = replyWrite(run, 'a1', [
    { type: 'text', text: 'one' },
    { type: 'step-start' },
  ])
  await store.runs.commitStep({
    ...write,
    metadata: { ...metadata, systemPromptDigest: PROMPT.digest, window: { tokens: 5, compactionId: 'op_2' } },
    usage: null,
    contextTokens: 7,
    contextEstimated: true,
    model: { providerId: 'lab', modelId: 'one', variant: 'high' },
    systemPrompt: PROMPT,
  })
  await store.runs.end(run, null, 5_000)
  for (const id of ['q2', 'q1']) await store.queue.add(userMessage('a', id, id), 6_000)
  await store.queue.cancel('a', 'q2', 6_001)
}

export function exportContract(open: OpenFixture): void {
  test('OB-1 a cost that was supplied comes back with its session, and one that never was is null', async () => {
    await using fixture = await open()
    const { store } = fixture
    expect(await store.sessions.create(newSession('a'))).toMatchObject({ costUsd: null })
    const [line] = await exported(store, 'a')
    expect(line?.data['cost_usd']).toBe(0)
    await removeSession(store, 'a')
    const paid = { number: 1, type: 'session' as const, data: { ...line?.data, cost_usd: 0.25 } }
    expect(await store.history.importRows(given([paid]))).toMatchObject({ id: 'a', costUsd: 0.25 })
  })

  test('OB-1 an export is the session, its messages by seq, their parts by index, operations and prompts', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withEverything(store)
    await store.sessions.create(newSession('other'))
    await turn(store, 'other', 'o')
    const lines = await exported(store, 'a')
    const inOrder = lines.map(({ type, data }) => [type, data['message_id'] ?? data['id'] ?? data['digest']])
    const messages = ['z', 'za', 'm', 'ma', 'sum_op_2', 'b', 'a1', 'q2', 'q1']
    expect(inOrder).toEqual([
      ['session', 'a'],
      ...messages.map((id) => ['message', id]),
      ...messages.flatMap((id) => Array.from({ length: id === 'a1' ? 2 : 1 }, () => ['part', id])),
      ['history_op', 'op_2'],
      ['system_prompt', PROMPT.digest],
    ])
    const parts = lines.filter(({ data }) => data['message_id'] === 'a1')
    expect(parts.map(({ data }) => data['index'])).toEqual([0, 1])
    expect(lines.map(({ rows }) => rows)).toEqual([lines.length, ...lines.slice(1).map(() => undefined)])
  })

  test('OB-1 rows hold the columns of storage, JSON as the text in them', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withEverything(store)
    const lines = await exported(store, 'a')
    const row = (type: string, id: string) =>
      lines.find((line) => line.type === type && line.data['id'] === id)
    expect(row('session', 'a')?.data).toEqual({
      id: 'a',
      title: 'New chat',
      agent: 'chat',
      workspace_root: null,
      worker_id: null,
      model_json: '{"provider_id":"lab","model_id":"one","variant":"high"}',
      parent_id: null,
      parent_message_id: null,
      permissions_json: '[]',
      metadata_json: '{"titled_by":"user","context_estimated":true}',
      prompt_tokens: 0,
      completion_tokens: 0,
      reasoning_tokens: 0,
      cache_read: 0,
      cache_write: 0,
      total_tokens: 0,
      context_tokens: 7,
      cost_usd: 0,
      revision: (await store.sessions.get('a'))?.revision,
      created_at: 1_000,
      updated_at: 6_001,
      archived_at: null,
    })
    expect(row('message', 'a1')?.data).toMatchObject({
      session_id: 'a',
      seq: 7,
      role: 'assistant',
      metadata_json: expect.stringContaining('"window":{"tokens":5,"compaction_id":"op_2"}'),
      hidden_by: null,
      queued_at: null,
    })
    expect(row('message', 'z')?.data).toMatchObject({ hidden_by: 'op_2', hidden_at: 7_500 })
    expect(row('message', 'sum_op_2')?.data['metadata_json']).toContain('"compaction_id":"op_2"')
    expect(row('part', 'prt_a1_0')?.data).toMatchObject({
      message_id: 'a1',
      session_id: 'a',
      type: 'text',
      data_json: '{"type":"text","text":"one"}',
      tool_call_id: null,
      pruned_at: null,
    })
    expect(row('history_op', 'op_2')?.data).toEqual({
      id: 'op_2',
      session_id: 'a',
      kind: 'compaction',
      detail_json:
        '{"last_seq":4,"hidden":[[1,2]],"shown":[],"summary_seq":5,"summary_message_id":"sum_op_2","tail_start_id":"m2"}',
      created_at: 7_500,
    })
    expect(lines.at(-1)).toMatchObject({ type: 'system_prompt', data: PROMPT })
  })

  test('OB-1 an export contains the state at its start, without writes during the export', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withEverything(store)
    const whole = await exported(store, 'a')
    const seen: unknown[] = []
    for await (const line of store.history.exportRows('a')) {
      if (seen.length === 0) await turn(store, 'a', 'new')
      seen.push(line)
    }
    expect(seen).toEqual(whole.map(({ number: _, ...line }) => line))
  })

  test('OB-1 an export that is abandoned halfway blocks no write', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withEverything(store)
    for await (const line of store.history.exportRows('a')) if (line.type === 'part') break
    await turn(store, 'a', 'new')
    expect((await exported(store, 'a')).length).toBeGreaterThan(20)
  })

  test('OB-1 there is no export of a session that does not exist', async () => {
    await using fixture = await open()
    await expect(exported(fixture.store, 'none')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
}
