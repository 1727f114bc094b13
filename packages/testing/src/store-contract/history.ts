import type { Outline } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import {
  asks,
  compaction,
  ids,
  lease,
  newSession,
  type OpenFixture,
  planned,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

/** A session `a` of the turns `m1`, `m2`, … */
async function withTurns(store: Store, count: number): Promise<void> {
  await store.sessions.create(newSession('a'))
  for (let index = 1; index <= count; index++) await turn(store, 'a', `m${index}`)
}

async function shown(store: Store): Promise<string[]> {
  return ids(await store.messages.visible('a'))
}

function hiders({ entries }: Outline): (string | null)[] {
  return entries.map(({ hiddenBy }) => hiddenBy)
}

export function historyContract(open: OpenFixture): void {
  test('RW-1 an operation hides the visible messages of its ranges, and is noted with its session', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 3)
    const before = await store.sessions.get('a')
    const change = planned('a', 'op_1', {
      lastSeq: 6,
      hidden: [
        [2, 3],
        [6, 6],
      ],
      targetMessageId: 'm1',
      beforeTokens: 40,
    })
    const session = await store.history.apply(change)
    expect(await shown(store)).toEqual(['m1', 'm2a', 'm3'])
    expect(session).toMatchObject({ updatedAt: 7_000, contextTokens: 11, metadata: {} })
    expect(session.revision).toBe((before?.revision ?? 0) + 1)
    expect(await store.sessions.get('a')).toEqual(session)
    const outline = await store.history.outline('a')
    expect(outline.operations).toEqual([change.operation])
    expect(hiders(outline)).toEqual([null, 'op_1', 'op_1', null, null, 'op_1'])
  })

  test('RW-3 an operation that shows what another hid leaves every message as it was', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 3)
    const before = await store.history.outline('a')
    await store.history.apply(planned('a', 'op_1', { lastSeq: 6, hidden: [[3, 6]] }))
    await store.history.apply(
      planned('a', 'op_2', { lastSeq: 6, shown: [[3, 6]], undoes: 'op_1' }, { kind: 'unrewind' }),
    )
    const after = await store.history.outline('a')
    expect(after.entries).toEqual(before.entries)
    expect(after.operations.map(({ id }) => id)).toEqual(['op_1', 'op_2'])
    expect(await store.messages.visible('a')).toMatchObject([{ hiddenAt: null }, {}, {}, {}, {}, {}])
  })

  test('RW-3 only rows in the opposite state change: what something else hid stays its own', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 2)
    await store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[2, 2]] }))
    await store.history.apply(planned('a', 'op_2', { lastSeq: 4, hidden: [[1, 3]] }))
    expect(hiders(await store.history.outline('a'))).toEqual(['op_2', 'op_1', 'op_2', null])
    await store.history.apply(planned('a', 'op_3', { lastSeq: 4, shown: [[3, 4]] }))
    expect(hiders(await store.history.outline('a'))).toEqual(['op_2', 'op_1', null, null])
  })

  test('RW-6 a change is refused while a run is on, for an unknown session, and when the history has grown', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 2)
    const apply = (lastSeq: number, id = 'op_1') =>
      store.history.apply(planned('a', id, { lastSeq, hidden: [[3, 4]] }))
    await expect(apply(2)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(store.history.apply(planned('none', 'op_1', {}))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm3', 'Go')))
    await expect(apply(5)).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    await expect(
      store.history.apply(planned('a', 'op_1', { lastSeq: 5 }), { ...run, runId: 'run_other' }),
    ).rejects.toMatchObject({ code: 'SESSION_NOT_RUNNING' })
    expect(await shown(store)).toHaveLength(5)
    await store.history.apply(planned('a', 'op_1', { lastSeq: 5, hidden: [[1, 2]] }), run)
    expect(await shown(store)).toEqual(['m2', 'm2a', 'm3'])
    await store.runs.end(run, null, 9_000)
    await expect(apply(5)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await shown(store)).toEqual(['m2', 'm2a', 'm3'])
  })

  test('CP-1 a compaction adds its summary last and hides what it replaces', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 2)
    await store.history.apply(compaction('a', 'op_1', { lastSeq: 4, to: 2 }))
    expect(await shown(store)).toEqual(['m2', 'm2a', 'sum_op_1'])
    expect(await store.messages.get('a', 'sum_op_1')).toMatchObject({
      seq: 5,
      role: 'assistant',
      metadata: { summary: true, synthetic: true, compactionId: 'op_1' },
      parts: [{ data: { type: 'data-compaction', data: { tail_start_id: 'm2' } } }],
    })
    const { entries, operations } = await store.history.outline('a')
    expect(entries.map(({ compactionId }) => compactionId)).toEqual([null, null, null, null, 'op_1'])
    expect(operations).toMatchObject([{ kind: 'compaction', detail: { summarySeq: 5, tailStartId: 'm2' } }])
  })

  test('CP-1 a summary that would not get its planned place changes nothing', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 2)
    const change = compaction('a', 'op_1', { lastSeq: 4, to: 2 })
    const { detail } = change.operation
    const wrong = { ...change, operation: { ...change.operation, detail: { ...detail, summarySeq: 9 } } }
    await expect(store.history.apply(wrong)).rejects.toMatchObject({ code: 'CONFLICT' })
    await store.history.apply(planned('a', 'op_1', { lastSeq: 4 }))
    await expect(store.history.apply(change)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await shown(store)).toEqual(['m1', 'm1a', 'm2', 'm2a'])
  })

  test('PR-1 pruning marks parts and un-pruning takes the mark away; what they hold stays', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 1)
    const run = lease('a', 1)
    const output = (toolCallId: string) => ({
      type: 'tool-read' as const,
      toolCallId,
      state: 'output-available' as const,
      input: {},
      output: 'long',
    })
    await store.runs.begin(run, asks(userMessage('a', 'm2', 'Go')))
    await store.runs.end(run, replyWrite(run, 'r', [output('c1'), output('c2')]), 5_000)
    const marks = async () =>
      (await store.history.messagesAt('a', [[4, 4]]))[0]?.parts.map(({ prunedAt }) => prunedAt)
    const over = (prune: string[], unprune: string[]) => ({ prune, unprune })
    const change = (id: string, createdAt: number) =>
      [planned('a', id, { lastSeq: 4 }, { kind: 'prune', createdAt }), createdAt] as const
    const [first] = change('op_1', 7_000)
    await store.history.apply({ ...first, ...over(['prt_r_0'], []) })
    expect(await marks()).toEqual([7_000, null])
    const [second] = change('op_2', 8_000)
    await store.history.apply({ ...second, ...over(['prt_r_0', 'prt_r_1'], []) })
    expect(await marks()).toEqual([7_000, 8_000])
    const [third] = change('op_3', 9_000)
    await store.history.apply({ ...third, ...over([], ['prt_r_1', 'none']) })
    expect(await marks()).toEqual([7_000, null])
    expect((await store.messages.get('a', 'r'))?.parts[0]?.data).toEqual(output('c1'))
  })

  test('US-4 the token count of the window is set with the change, marked when estimated, and counted by the next step', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a', { metadata: { titledBy: 'user', own: { a: [1.5] } } }))
    await turn(store, 'a', 'm1')
    const estimated = planned('a', 'op_1', { lastSeq: 2 }, {}, { contextTokens: 33, contextEstimated: true })
    expect(await store.history.apply(estimated)).toMatchObject({
      contextTokens: 33,
      metadata: { titledBy: 'user', own: { a: [1.5] }, contextEstimated: true },
    })
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm2', 'Go')))
    const write = { ...replyWrite(run, 'r', []), usage: null, systemPrompt: null }
    const model = { providerId: 'lab', modelId: 'one' }
    const unsaid = { ...write, model, contextTokens: null, contextEstimated: false }
    expect((await store.runs.commitStep(unsaid)).metadata.contextEstimated).toBe(true)
    const counted = await store.runs.commitStep({ ...unsaid, contextTokens: 44 })
    expect(counted).toMatchObject({ contextTokens: 44 })
    expect(counted.metadata).toEqual({ titledBy: 'user', own: { a: [1.5] } })
  })

  test('US-4 the outline has what the window held after a step, and under which summary', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 1)
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm2', 'Go')))
    const { metadata, ...write } = replyWrite(run, 'r', [])
    const window = { tokens: 1_234, compactionId: 'op_0', estimated: true as const, scale: 1.25 }
    await store.runs.end(run, { ...write, metadata: { ...metadata, window } }, 5_000)
    await store.queue.add(userMessage('a', 'q', 'later'), 6_000)
    const { entries } = await store.history.outline('a')
    const rest = { hiddenBy: null, compactionId: null, condensed: false }
    expect(entries.map(({ createdAt, ...entry }) => entry)).toEqual([
      { id: 'm1', seq: 1, role: 'user', window: null, ...rest },
      { id: 'm1a', seq: 2, role: 'assistant', window: null, ...rest },
      { id: 'm2', seq: 3, role: 'user', window: null, ...rest },
      { id: 'r', seq: 4, role: 'assistant', window, ...rest },
    ])
    for (const { id, createdAt } of entries)
      expect(createdAt).toBe((await store.messages.get('a', id))?.createdAt)
    expect(await store.history.outline('none')).toEqual({ entries: [], operations: [] })
  })

  test('RW-3 messages are read by their places, hidden ones too, in order with their parts', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withTurns(store, 3)
    await store.history.apply(planned('a', 'op_1', { lastSeq: 6, hidden: [[5, 6]] }))
    const messages = await store.history.messagesAt('a', [
      [1, 2],
      [6, 9],
    ])
    expect(ids(messages)).toEqual(['m1', 'm1a', 'm3a'])
    expect(messages[2]).toEqual(await store.messages.get('a', 'm3a'))
    expect(await store.history.messagesAt('a', [])).toEqual([])
  })

  test('RW-5 of the messages at places, those that have changed files are read alone, hidden ones too', async () => {
    await using fixture = await open()
    const { store } = fixture
    const workspace = { before: 'one', after: 'two' }
    await withTurns(store, 3)
    for (const [number, id] of ['m1a', 'm2a', 'm3a'].entries()) {
      const run = lease('a', 10 + number)
      await store.runs.begin(run, asks(userMessage('a', `q${number}`, 'says "workspace":{')))
      const metadata = (await store.messages.get('a', id))?.metadata
      if (metadata === undefined) continue
      const write = replyWrite(run, id, [])
      if (number > 0) await store.runs.record({ ...write, metadata: { ...metadata, workspace } })
      await store.runs.end(run, null, 9_000)
    }
    await store.history.apply(planned('a', 'op_1', { lastSeq: 9, hidden: [[5, 9]] }))
    const read = async (ranges: [number, number][]) => await store.history.fileChangesAt('a', ranges)
    expect(await read([[1, 99]])).toEqual([
      await store.messages.get('a', 'm2a'),
      await store.messages.get('a', 'm3a'),
    ])
    expect(ids(await read([[5, 99]]))).toEqual(['m3a'])
    expect(await read([])).toEqual([])
  })

  test('SC-1 metadata of a session is replaced whole', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    await sessions.create(newSession('a', { metadata: { ephemeral: true, titledBy: 'user' } }))
    const session = await sessions.setMetadata('a', { titledBy: 'user', own: 1 }, 5_000)
    expect(session).toMatchObject({ metadata: { titledBy: 'user', own: 1 }, updatedAt: 5_000, revision: 1 })
    expect(session.metadata).not.toHaveProperty('ephemeral')
    await expect(sessions.setMetadata('none', {}, 5_000)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
}
