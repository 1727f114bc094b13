import { createId } from '@palimpsest/core/domain'
import type { ImportLine, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../../core/src/domain/values/sha256.ts'
import {
  asks,
  branchOf,
  compaction,
  exported,
  given,
  lease,
  newSession,
  type OpenFixture,
  planned,
  removeSession,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

/** Does one thing or another to a session, and to all kinds of rows with it. */
async function wander(store: Store, sessionId: string, step: number): Promise<void> {
  const { entries } = await store.history.outline(sessionId)
  const lastSeq = entries.length
  const visible = entries.filter(({ hiddenBy }) => hiddenBy === null)
  const middle = visible[Math.floor(visible.length / 2)]?.seq ?? 1
  const id = createId('op')
  switch (step) {
    case 0:
      await turn(store, sessionId, createId('msg'), { question: 'zebra "\u0000🜂' })
      return
    case 1:
      await store.history.apply(
        planned(sessionId, id, { lastSeq, hidden: [[middle, lastSeq]], undoes: 'op_x' }),
      )
      return
    case 2:
      await store.history.apply(
        planned(sessionId, id, { lastSeq, shown: [[1, lastSeq]] }, { kind: 'unrewind' }),
      )
      return
    case 3:
      await store.history.apply(compaction(sessionId, id, { lastSeq, to: middle }))
      return
    case 4:
      await store.queue.add(userMessage(sessionId, createId('msg'), 'later'), 6_000)
      return
    case 5: {
      const [queued] = await store.queue.list(sessionId)
      if (queued !== undefined) await store.queue.cancel(sessionId, queued.id, 6_500)
      return
    }
    default:
      await store.history.branch(branchOf(sessionId, createId('ses'), [middle].slice(0, lastSeq)))
  }
}

/** The lines of a file, with ids in place of which come numbers in order of appearance. */
function withoutIds(lines: ImportLine[]): string {
  const ids = lines.flatMap(({ data }) => (typeof data['id'] === 'string' ? [data['id']] : []))
  const numbers = new Map(ids.map((id, index) => [id, `#${index}`]))
  return JSON.stringify(lines).replace(/[a-z]+_[0-9a-z_]+/g, (id) => numbers.get(id) ?? id)
}

/** A session `ses_a` that is a branch, with a rewind, a compaction and a pruned part. */
async function withReferences(store: Store): Promise<ImportLine[]> {
  await store.sessions.create(newSession('ses_a'))
  for (const id of ['msg_1', 'msg_2']) await turn(store, 'ses_a', id)
  const detail = { lastSeq: 4, hidden: [[4, 4] as [number, number]], targetMessageId: 'msg_2' }
  await store.history.apply(planned('ses_a', 'op_1', detail))
  const taken = { lastSeq: 4, shown: [[4, 4] as [number, number]], undoes: 'op_1' }
  await store.history.apply(planned('ses_a', 'op_2', taken, { kind: 'unrewind' }))
  const change = compaction('ses_a', 'op_3', { lastSeq: 4, to: 2 })
  const parts = [{ type: 'data-compaction' as const, data: { summary: 'msg_2', tail_start_id: 'msg_2' } }]
  const operation = { ...change.operation, detail: { ...change.operation.detail, tailStartId: 'msg_2' } }
  const insert = change.insert === null ? null : { ...change.insert, id: 'msg_s', parts }
  await store.history.apply({ ...change, operation, insert })
  const pruned = { lastSeq: 5, partIds: ['prt_msg_2a_0'] }
  await store.history.apply(planned('ses_a', 'op_4', pruned, { kind: 'prune' }, { prune: ['prt_msg_2a_0'] }))
  const run = lease('ses_a', 1)
  await store.runs.begin(run, asks(userMessage('ses_a', 'msg_3', 'Go')))
  const steering = { type: 'steering-message' as const, id: 'msg_2', parts: [] }
  const { metadata, ...write } = replyWrite(run, 'msg_4', [steering])
  const window = { tokens: 9, compactionId: 'op_3' }
  await store.runs.end(run, { ...write, metadata: { ...metadata, window } }, 9_000)
  return exported(store, 'ses_a')
}

function changed(lines: ImportLine[], index: number, data: Record<string, unknown>): ImportLine[] {
  return lines.map((line, at) => (at === index ? { ...line, data: { ...line.data, ...data } } : line))
}

export function importContract(open: OpenFixture): void {
  test('OB-1 export, import and export again are the same bytes, under the same ids when they are free', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 12 }), async (steps) => {
        await using source = await open()
        await using target = await open()
        const sessionId = createId('ses')
        await source.store.sessions.create(newSession(sessionId, { title: 'Ünï\u0000code' }))
        await turn(source.store, sessionId, createId('msg'))
        for (const step of steps) await wander(source.store, sessionId, step)
        const lines = await exported(source.store, sessionId)
        const session = await target.store.history.importRows(given(lines))
        expect(session).toEqual(await source.store.sessions.get(sessionId))
        expect(JSON.stringify(await exported(target.store, sessionId))).toBe(JSON.stringify(lines))
        const again = await target.store.history.importRows(given(lines))
        expect(withoutIds(await exported(target.store, again.id))).toBe(withoutIds(lines))
      }),
      { numRuns: 15 },
    )
  }, 60_000)

  test('OB-1 when one id is taken all are new, and every reference follows', async () => {
    await using fixture = await open()
    const { store } = fixture
    const lines = await withReferences(store)
    await removeSession(store, 'ses_a')
    await store.sessions.create(newSession('ses_b'))
    await store.queue.add(userMessage('ses_b', 'msg_1', 'taken'), 1)
    const { id } = await store.history.importRows(given(lines))
    const imported = await exported(store, id)
    expect(id).toMatch(/^ses_[0-9a-z]{26}$/)
    const ids = (from: ImportLine[]) => from.map(({ data }) => data['id'])
    expect(ids(imported).filter((one) => ids(lines).includes(one))).toEqual([])
    const mapped = new Map(ids(lines).map((one, index) => [one, ids(imported)[index]]))
    const data = (old: string) => imported.find((line) => line.data['id'] === mapped.get(old))?.data
    const json = (old: string, column: string) => JSON.parse(String(data(old)?.[column]))
    expect(data('msg_1')).toMatchObject({ session_id: id, hidden_by: mapped.get('op_3') })
    expect(json('msg_4', 'metadata_json').window).toEqual({ tokens: 9, compaction_id: mapped.get('op_3') })
    expect(json('msg_s', 'metadata_json').compaction_id).toBe(mapped.get('op_3'))
    const summary = imported.find((line) => line.data['type'] === 'data-compaction')
    expect(JSON.parse(String(summary?.data['data_json'])).data).toEqual({
      summary: 'msg_2',
      tail_start_id: mapped.get('msg_2'),
    })
    expect(json('prt_msg_4_0', 'data_json').id).toBe(mapped.get('msg_2'))
    expect(json('op_1', 'detail_json').target_message_id).toBe(mapped.get('msg_2'))
    expect(json('op_2', 'detail_json').undoes).toBe(mapped.get('op_1'))
    expect(json('op_3', 'detail_json')).toMatchObject({ tail_start_id: mapped.get('msg_2') })
    expect(json('op_4', 'detail_json').part_ids).toEqual([mapped.get('prt_msg_2a_0')])
    expect(await store.messages.get('ses_b', 'msg_1')).not.toBeNull()
  })

  test('OB-1 an imported session is found, can be rewound and takes new turns', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('ses_a', { title: 'Savanna' }))
    await turn(store, 'ses_a', 'msg_1', { question: 'zebra' })
    await store.history.apply(planned('ses_a', 'op_1', { lastSeq: 2, hidden: [[2, 2]] }))
    await store.queue.add(userMessage('ses_a', 'msg_q', 'lion'), 8_000)
    const { id } = await store.history.importRows(given(await exported(store, 'ses_a')))
    expect((await store.messages.search({ text: 'zebra', sessionId: id, limit: 5 })).items).toHaveLength(1)
    expect((await store.messages.search({ text: 'lion', limit: 5 })).items).toEqual([])
    const list = { limit: 9, archived: false, ephemeral: false, search: 'savanna' }
    expect((await store.sessions.list(list)).items).toHaveLength(2)
    const last = await store.history.lastRewind(id)
    const detail = { lastSeq: 2, shown: last?.detail.hidden ?? [] }
    await store.history.apply(planned(id, 'op_9', detail, { kind: 'unrewind' }))
    expect(await store.messages.visible(id)).toHaveLength(2)
    expect(await store.queue.list(id)).toHaveLength(1)
    await turn(store, id, 'msg_n')
    expect((await store.messages.visible(id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  test('OB-1 a branch keeps its parent where that is, and is a root where it is not', async () => {
    await using source = await open()
    await using target = await open()
    await source.store.sessions.create(newSession('ses_p'))
    await turn(source.store, 'ses_p', 'msg_1')
    await source.store.history.branch(branchOf('ses_p', 'ses_b', [1]))
    const lines = await exported(source.store, 'ses_b')
    const root = await target.store.history.importRows(given(lines))
    expect(root).toMatchObject({ id: 'ses_b', parentId: null, parentMessageId: null })
    const sibling = await source.store.history.importRows(given(lines))
    expect(sibling).toMatchObject({ parentId: 'ses_p', parentMessageId: 'm' })
  })

  test('OB-1 a line that is no row of this export is refused by its number, and nothing is left of it', async () => {
    await using fixture = await open()
    const { store } = fixture
    const lines = await withReferences(store)
    await removeSession(store, 'ses_a')
    const at = (type: string) => lines.findIndex((line) => line.type === type)
    const [message, part, operation] = [at('message'), at('part'), at('history_op')]
    const { title: _, ...untitled } = lines[0]?.data ?? {}
    const bad: [ImportLine[], string][] = [
      [[], 'no session'],
      [lines.slice(1), 'Line 2 '],
      [[...lines.slice(0, 1), { ...(lines[0] as ImportLine), number: 2 }], 'Line 2 '],
      [[{ type: 'session', data: untitled, number: 1 }], 'title of a session'],
      [changed(lines, 0, { title: 1 }), 'Line 1 '],
      [changed(lines, 0, { created_at: -1 }), 'created_at'],
      [changed(lines, 0, { revision: 1.5 }), 'revision'],
      [changed(lines, 0, { cost_usd: null }), 'cost_usd'],
      [changed(lines, 0, { shoe_size: 42 }), 'shoe_size'],
      [changed(lines, message, { id: 'no id' }), `Line ${message + 1} `],
      [changed(lines, message, { seq: null }), 'no place'],
      [changed(lines, message, { session_id: 'ses_x' }), 'another session'],
      [changed(lines, message + 1, { seq: 1 }), `Line ${message + 2} `],
      [changed(lines, message + 1, { id: 'msg_1' }), 'msg_1 is there twice'],
      [changed(lines, part, { message_id: 'msg_x' }), `Line ${part + 1} `],
      [changed(lines, part + 1, { id: lines[part]?.data['id'] }), 'there twice'],
      [changed(lines, part, { index: 'x' }), 'index of a part'],
      [changed(lines, operation, { detail_json: {} }), `Line ${operation + 1} `],
      [changed(lines, operation + 1, { id: 'op_1' }), 'op_1 is there twice'],
    ]
    for (const [broken, said] of bad) {
      const refused = store.history.importRows(given(broken))
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'data' })
      await expect(refused).rejects.toThrow(said)
      expect(await store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
    }
    expect((await store.history.importRows(given(lines))).id).toBe('ses_a')
  })

  test('OB-1 an export that was cut after any of its lines is refused, one from before lines were counted is not', async () => {
    await using fixture = await open()
    const { store } = fixture
    const lines = await withReferences(store)
    await removeSession(store, 'ses_a')
    const whole = lines.length
    for (let left = 1; left < whole; left++) {
      await expect(store.history.importRows(given(lines.slice(0, left)))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        field: 'data',
        message: `This export is not whole: it has ${left} rows, and had ${whole}.`,
      })
    }
    const [first, ...rest] = lines
    for (const rows of [-1, 1.5, '9', null]) {
      const wrong = given([{ ...first, rows } as ImportLine, ...rest])
      await expect(store.history.importRows(wrong)).rejects.toThrow('Line 1 cannot be imported: rows must be')
    }
    expect(await store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
    const uncounted = lines.map(({ rows: _, ...line }) => line)
    expect((await store.history.importRows(given(uncounted))).id).toBe('ses_a')
    expect(await exported(store, 'ses_a')).toEqual(lines)
  })

  test('OB-1 SY-2 a system prompt comes in under its own digest or not at all', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('ses_a'))
    await turn(store, 'ses_a', 'msg_1')
    const [session, ...rest] = await exported(store, 'ses_a')
    await removeSession(store, 'ses_a')
    const withPrompt = (digest: string, body: string) => {
      const prompt: ImportLine = { type: 'system_prompt', data: { digest, body }, number: rest.length + 2 }
      return given([{ ...session, rows: rest.length + 2 } as ImportLine, ...rest, prompt])
    }
    // A prompt with half a character is stored with a sign in its place, of which the digest is the same.
    for (const body of ['Be brief.', '', 'Sei \u{1F601} kurz\0', 'half \uFFFD']) {
      const digest = await sha256(body.replace('\uFFFD', '\uD800'))
      await expect(store.history.importRows(withPrompt(digest, `${body}!`))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        field: 'data',
        message: `Line ${rest.length + 2} cannot be imported: digest is not that of the body.`,
      })
      expect(await store.messages.systemPrompt(digest)).toBeNull()
      const { id } = await store.history.importRows(withPrompt(digest, body))
      expect(await store.messages.systemPrompt(digest)).toBe(body)
      await removeSession(store, id)
    }
  })
}
