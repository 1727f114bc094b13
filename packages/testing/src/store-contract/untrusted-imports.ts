import { IMPORT_LIMITS, LIMITS } from '@palimpsest/core/domain'
import type { ImportLine, Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import {
  asks,
  compaction,
  exported,
  given,
  lease,
  newSession,
  type OpenFixture,
  planned,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

type Row = Record<string, unknown>

/** A session `ses_a`: messages `msg_1`, `msg_1a`, `msg_2` and `msg_2a`, a summary, a reply with a call, a queued message. */
async function everything(store: Store): Promise<ImportLine[]> {
  await store.sessions.create(newSession('ses_a', { title: 'Talk', workspaceRoot: '/home/ann' }))
  for (const id of ['msg_1', 'msg_2']) await turn(store, 'ses_a', id)
  await store.history.apply(planned('ses_a', 'op_1', { lastSeq: 4, hidden: [[3, 4]] }))
  await store.history.apply(compaction('ses_a', 'op_2', { lastSeq: 4, to: 2 }))
  const run = lease('ses_a', 1)
  await store.runs.begin(run, asks(userMessage('ses_a', 'msg_3', 'Go')))
  const call = { type: 'tool-find' as const, toolCallId: 'c1', state: 'output-available' as const }
  const parts = [{ ...call, input: {}, output: 'found' }]
  await store.runs.end(run, replyWrite(run, 'msg_3a', parts), 9_000)
  await store.queue.add(userMessage('ses_a', 'msg_q', 'later'), 9_500)
  // Parts of what a person sent get ids of their own.
  const lines = await exported(store, 'ses_a')
  const [ofPerson] = lines.filter(({ type, data }) => type === 'part' && data['message_id'] === 'msg_1')
  return lines.map((line) => (line === ofPerson ? { ...line, data: { ...line.data, id: PART } } : line))
}

/** The same rows, that of `id` changed; `over` has JSON columns as values. */
function changed(lines: ImportLine[], id: string, over: Row): ImportLine[] {
  return lines.map((line) => {
    if (line.data['id'] !== id) return line
    const entries = Object.entries(over).map(([name, value]) => [name, cell(name, value, line.data[name])])
    return { ...line, data: { ...line.data, ...Object.fromEntries(entries) } }
  })
}

function cell(name: string, value: unknown, before: unknown): unknown {
  if (!name.endsWith('_json') || typeof value !== 'object' || value === null) return value
  return JSON.stringify(Array.isArray(value) ? value : { ...JSON.parse(String(before)), ...value })
}

function nested(depth: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
}

/** The rows, and behind them files of a queued message. */
function withFiles(lines: ImportLine[], messageId: string, files: string[]): ImportLine[] {
  const part = lines.find(({ type, data }) => type === 'part' && data['message_id'] === 'msg_q')
  if (part === undefined) throw new Error('The queued message has no part.')
  const rows = files.map((json, index) => {
    const over = { id: `prt_${messageId}_${index}`, message_id: messageId, index, type: 'file' }
    return { ...part, data: { ...part.data, ...over, data_json: json } }
  })
  return [...lines, ...rows]
}

const PART = 'prt_msg_1_0'
const REPLY_PART = 'prt_msg_1a_0'
const CALL = 'prt_msg_3a_0'
const { seq, time, tokensPerMessage, tokensPerSession } = IMPORT_LIMITS

/** Values that no creation would write, with the message of their refusal. */
const REFUSED: [id: string, over: Row, said: string][] = [
  ['ses_a', { title: 5 }, 'title of a session must be'],
  ['ses_a', { title: ' ' }, 'title of a session must be'],
  ['ses_a', { title: 'x'.repeat(LIMITS.titleCharacters + 1) }, 'title of a session must be'],
  ['ses_a', { agent: '' }, 'agent of a session must be'],
  ['ses_a', { model_json: 'lab' }, 'model_json must be JSON'],
  ['ses_a', { model_json: '["lab"]' }, 'model_json must be an object'],
  ['ses_a', { model_json: { model_id: 5 } }, 'model_json.modelId must be a text'],
  ['ses_a', { metadata_json: nested(17) }, 'metadata_json must be nested at most 16 times'],
  ['ses_a', { metadata_json: { a: 'x'.repeat(20_000) } }, 'metadata_json must be at most'],
  ['ses_a', { metadata_json: { ephemeral: 'yes' } }, 'metadata_json.ephemeral must be true'],
  ['ses_a', { metadata_json: { titledBy: 'user' } }, 'metadata_json.titledBy is stored under another name'],
  ['ses_a', { permissions_json: '{}' }, 'permissions_json must be a list'],
  ['ses_a', { prompt_tokens: tokensPerSession + 1 }, 'prompt_tokens of a session must be'],
  ['ses_a', { revision: 2 ** 60 }, 'revision of a session must be'],
  ['ses_a', { cost_usd: -1 }, 'cost_usd of a session must be'],
  ['ses_a', { created_at: time + 1 }, 'created_at of a session must be'],
  ['msg_1', { seq: seq + 1 }, 'seq of a message must be'],
  ['msg_1', { seq: 2 ** 53 - 1 }, 'seq of a message must be'],
  ['msg_1', { queued_at: 1 }, 'has a place and is queued'],
  ['msg_1', { role: 'system' }, 'role must be one of user, assistant'],
  ['msg_1', { role: 'constructor' }, 'role must be one of'],
  ['msg_1', { hidden_at: null, hidden_by: 'op_2' }, 'hidden_by needs hidden_at'],
  ['msg_q', { role: 'assistant' }, 'only a message of role user is queued'],
  ['msg_1', { metadata_json: nested(17) }, 'metadata_json must be nested at most'],
  ['msg_1', { metadata_json: { schema_version: 2 } }, 'metadata_json.schemaVersion must be 1'],
  ['msg_1', { metadata_json: { model: 'gpt' } }, 'metadata_json.model must be an object'],
  ['msg_1', { metadata_json: { created_at: 1e300 } }, 'metadata_json.createdAt must be'],
  ['msg_1', { metadata_json: { hiddenBy: 'op_1' } }, 'metadata_json.hiddenBy must be left out'],
  ['msg_1', { metadata_json: { prunedParts: 5 } }, 'metadata_json.prunedParts must be left out'],
  ['msg_1a', { metadata_json: { finish_reason: null } }, 'metadata_json.finishReason must be one of'],
  ['msg_1a', { metadata_json: { finishReason: 'stop' } }, 'metadata_json.finishReason is stored under'],
  ['msg_1a', { metadata_json: { error: { code: 'X', message: '' } } }, 'metadata_json.error.code must be'],
  ['msg_1a', { metadata_json: { usage: { input: -1 } } }, 'metadata_json.usage.input must be'],
  ['msg_1a', { metadata_json: { window: { tokens: tokensPerMessage + 1 } } }, 'metadata_json.window.tokens'],
  ['msg_1a', { metadata_json: { window: { tokens: 1, scale: 1e308 } } }, 'metadata_json.window.scale'],
  ['msg_1a', { metadata_json: { window: { tokens: 1, scale: 0.4 } } }, 'metadata_json.window.scale'],
  ['msg_1a', { metadata_json: '{"duration_ms":1e999}' }, 'metadata_json.durationMs'],
  ['msg_1a', { metadata_json: { duration_ms: 1e308 } }, 'metadata_json.durationMs'],
  ['ses_a', { cost_usd: 1e308 }, 'cost_usd'],
  ['msg_1a', { metadata_json: { condensed: { c1: null } } }, 'metadata_json.condensed.c1 must be an object'],
  ['msg_1a', { metadata_json: { part_durations_ms: { 0: 'x' } } }, 'metadata_json.partDurationsMs.0 must be'],
  [PART, { index: -1 }, 'index of a part must be'],
  [PART, { index: IMPORT_LIMITS.partsPerMessage }, 'index of a part must be'],
  [PART, { data_json: 'null' }, 'data_json must be a part of its type'],
  [PART, { type: 'file' }, 'data_json must be a part of its type'],
  [PART, { data_json: { text: null } }, 'data_json.text must be a text'],
  [PART, { data_json: { a: 1 } }, 'data_json.a is not a known key'],
  [
    PART,
    { type: 'file', data_json: { type: 'file', mediaType: 'image/png', url: 'https://evil.example/' } },
    'data_json.url must be a data: URL',
  ],
  [
    PART,
    { type: 'tool-x', data_json: { type: 'tool-x' } },
    'must be a text or a file in a message of role user',
  ],
  [
    PART,
    { data_json: { text: 'x'.repeat(LIMITS.messageCharacters + 1) } },
    'msg_1 has more than 1000000 characters',
  ],
  [
    REPLY_PART,
    { data_json: { providerMetadata: { lab: null } } },
    'data_json.providerMetadata.lab must be an object',
  ],
  [REPLY_PART, { data_json: { x: nested(64) } }, 'data_json must be nested at most 64 times'],
  [REPLY_PART, { tool_call_id: 'c9' }, 'tool_call_id must be that of data_json'],
  [CALL, { data_json: { state: 'done' } }, 'data_json.state must be one of'],
  [CALL, { tool_state: 'input-available' }, 'tool_state must be the state of data_json'],
  [CALL, { tool_call_id: null }, 'tool_call_id must be that of data_json'],
  ['op_1', { kind: 'explode' }, 'kind must be one of'],
  ['op_1', { detail_json: '{}' }, 'detail_json.lastSeq must be'],
  ['op_1', { detail_json: { hidden: 'all' } }, 'detail_json.hidden must be a list'],
  ['op_1', { detail_json: { hidden: [[2, 1]] } }, 'detail_json.hidden.0 must be two places'],
  ['op_1', { detail_json: { shown: [[1, null]] } }, 'detail_json.shown.0 must be two places'],
  ['op_1', { detail_json: { part_ids: [5] } }, 'detail_json.partIds.0 must be a text'],
  ['op_1', { detail_json: { undoes: {} } }, 'detail_json.undoes must be a text'],
  ['op_1', { detail_json: { hidden: [[5, 900]] } }, 'detail_json names a place that no message has'],
  ['op_1', { detail_json: { last_seq: 900 } }, 'detail_json names a place that no message has'],
]

/** An export is untrusted input. */
export function untrustedImportContract(open: OpenFixture): void {
  test('SX-12 rows that no creation would write are refused with their line, and none is stored', async () => {
    await using source = await open()
    await using fixture = await open()
    const { store } = fixture
    const lines = await everything(source.store)
    for (const [id, over, said] of REFUSED) {
      const number = lines.find(({ data }) => data['id'] === id)?.number
      const refused = store.history.importRows(given(changed(lines, id, over)))
      await expect(refused, said).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'data' })
      await expect(refused).rejects.toThrow(`Line ${number} cannot be imported: `)
      await expect(refused).rejects.toThrow(said)
    }
    expect(await store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
    expect((await store.history.importRows(given(lines))).id).toBe('ses_a')
  })

  test('SX-12 an import has the limits of a person in messages and queue, and its own in replies', async () => {
    await using source = await open()
    await using fixture = await open()
    const { store } = fixture
    const lines = await everything(source.store)
    const more = (id: string, count: number, over: (index: number) => Row) =>
      lines.flatMap((line) => {
        const rest =
          line.rows === undefined ? line : { type: line.type, data: line.data, number: line.number }
        if (line.data['id'] !== id) return [rest]
        const copies = Array.from({ length: count }, (_, index) => ({
          ...line,
          data: { ...line.data, ...over(index) },
        }))
        return [rest, ...copies]
      })
    const parts = (id: string, count: number, data?: object) =>
      more(id, count, (index) => ({
        id: `prt_${index}`,
        index: index + 1,
        ...(data && { type: 'file', data_json: JSON.stringify(data) }),
      }))
    const file = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }
    const half = more(PART, 2, (index) => ({
      id: `prt_${index}`,
      index: index + 1,
      data_json: JSON.stringify({ type: 'text', text: 'x'.repeat(500_001) }),
    }))
    const queued = (count: number, step: number) =>
      more('msg_q', count, (index) => ({ id: `msg_q${index}`, queued_at: 9_501 + index * step }))
    const large = { ...file, url: `data:image/png;base64,${'A'.repeat(1_390_000)}` }
    const heavy = [0, 1, 2].reduce(
      (rows, nth) => withFiles(rows, `msg_q${nth}`, Array(10).fill(JSON.stringify(large))),
      queued(3, 1),
    )
    for (const [rows, said] of [
      [parts(PART, 64), 'msg_1 has more than 64 parts'],
      [parts(PART, 11, file), 'msg_1 has more than 10 files'],
      [half, 'msg_1 has more than 1000000 characters'],
      [parts(REPLY_PART, 9_999).concat(parts(REPLY_PART, 9_999).slice(-1)), ''],
      [queued(100, 1), 'more than 100 messages are queued'],
      [queued(2, 0), 'two messages are queued at 9501'],
      [heavy, 'queued messages have more than 33554432 characters'],
    ] as const) {
      await expect(store.history.importRows(given(rows))).rejects.toThrow(said)
    }
    expect(await store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
    const { id } = await store.history.importRows(given(parts(REPLY_PART, 9_999)))
    expect((await store.messages.get(id, 'msg_1a'))?.parts).toHaveLength(10_000)
  }, 60_000)

  test('SX-12 an import brings no folder, no worker, no rules and no states of files', async () => {
    await using source = await open()
    await using fixture = await open()
    const { store } = fixture
    const lines = await everything(source.store)
    const files = { snapshot_id: 'tree', previous_snapshot_id: 'tree_0', file_count: 2 }
    const acting = [
      ['ses_a', { workspace_root: '/', worker_id: 'wrk_1', permissions_json: [{ allow: '*' }] }],
      ['msg_1a', { metadata_json: { snapshot_id: 'tree', workspace: { before: 'a', after: 'b' } } }],
      ['op_1', { detail_json: files }],
    ] as const
    const rows = acting.reduce((all, [id, over]) => changed(all, id, over), lines)
    const session = await store.history.importRows(given(rows))
    expect(session).toMatchObject({ workspaceRoot: null, workerId: null, permissions: [] })
    const again = await exported(store, 'ses_a')
    const inert = lines.map((line) =>
      line.type === 'session' ? { ...line, data: { ...line.data, workspace_root: null } } : line,
    )
    expect(again).toEqual(inert)
  })

  test('SX-12 half characters become whole ones, and words that every object has are words', async () => {
    await using source = await open()
    await using fixture = await open()
    const { store } = fixture
    const lines = await everything(source.store)
    const odd = changed(
      changed(lines, 'ses_a', {
        title: 'half \uD800',
        metadata_json: '{"__proto__":{"ephemeral":true},"constructor":1}',
      }),
      PART,
      { data_json: '{"type":"text","text":"\\ud800 \\u0000 __proto__"}' },
    )
    expect(await store.history.importRows(given(odd))).toMatchObject({ title: 'half \uFFFD' })
    const { items } = await store.sessions.list({ limit: 5, archived: false, ephemeral: false })
    expect(items.map(({ id }) => id)).toEqual(['ses_a'])
    expect((await store.messages.search({ text: 'proto', limit: 5 })).items).toHaveLength(1)
    const row = (await exported(store, 'ses_a')).find(({ data }) => data['id'] === PART)
    expect(row?.data['data_json']).toBe('{"type":"text","text":"\\ud800 \\u0000 __proto__"}')
  })

  test('SX-12 references that lead nowhere change nothing that is seen', async () => {
    await using source = await open()
    await using fixture = await open()
    const { store } = fixture
    const lines = await everything(source.store)
    const nowhere = {
      target_message_id: 'msg_x',
      undoes: 'op_x',
      part_ids: ['prt_x'],
      summary_message_id: 'm',
    }
    const rows = changed(changed(lines, 'op_1', { detail_json: nowhere }), 'msg_2', { hidden_by: 'op_x' })
    await store.history.importRows(given(rows))
    const visible = await store.messages.visible('ses_a')
    expect(visible.map(({ id }) => id)).toEqual(['sum_op_2', 'msg_3', 'msg_3a'])
    expect((await store.history.lastRewind('ses_a'))?.id).toBe('op_1')
    expect((await store.history.outline('ses_a')).operations[0]?.detail).toMatchObject({ undoes: 'op_x' })
  })
}
