import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ChatChunk,
  type ChatPart,
  FIRST_EPOCH,
  initialReduction,
  LEASE_MS,
  type Reduction,
  reduceChunk,
} from '../../domain/index.ts'
import type { ImportLine, RecordWrite, RunLease, Store } from '../../ports/index.ts'
import { randomChunks } from '../random-chunks.ts'
import {
  asks,
  compaction,
  exported,
  given,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  replyWrite,
  texts,
  userMessage,
} from './fixtures.ts'

const START: ChatChunk[] = [
  { type: 'start', messageId: 'r', messageMetadata: { schemaVersion: 1, createdAt: 3_000 } },
  { type: 'text-start', id: 't' },
]
const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
const SECOND: ChatChunk[] = [
  { type: 'text-start', id: 'u' },
  { type: 'text-delta', id: 'u', delta: 'More' },
]
const FINISH: ChatChunk = { type: 'finish', finishReason: 'stop' }

/** A run of session `a` that writes message `r`, by hand. */
async function beginRun(store: Store, number = 1) {
  const run = lease('a', number)
  if ((await store.sessions.get('a')) === null) await store.sessions.create(newSession('a'))
  await store.runs.begin(run, asks(userMessage('a', `m${number}`, 'Go')))
  return run
}

function appends(run: RunLease, chunks: ChatChunk[], epoch = FIRST_EPOCH): RecordWrite {
  const log = { runId: run.runId, epoch, chunks, open: null }
  return { ...replyWrite(run, 'r', []), metadata: null, log }
}

function folds(run: RunLease, chunks: ChatChunk[], { message, open }: Reduction): RecordWrite {
  const write = replyWrite(run, 'r', message.parts)
  const metadata = { ...write.metadata, ...message.metadata }
  return { ...write, metadata, log: { runId: run.runId, epoch: FIRST_EPOCH, chunks, open } }
}

const reduced = (chunks: readonly ChatChunk[]) => chunks.reduce(reduceChunk, initialReduction('r'))
const datas = (message: { parts: { data: ChatPart }[] } | null | undefined) =>
  message?.parts.map(({ data }) => data)

export function runLogContract(open: OpenFixture): void {
  test('LS-8 a log is append-only with gap-free numbers and ends in one terminal record', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, START, reduced(START)))
    await Promise.all(['a', 'b', 'c'].map((text) => store.runs.record(appends(run, [delta(text)]))))
    const all = [...START, ...['a', 'b', 'c'].map(delta)]
    const step = {
      usage: null,
      contextTokens: null,
      contextEstimated: false,
      model: MODEL,
      systemPrompt: null,
    }
    await store.runs.commitStep({ ...folds(run, [], reduced(all)), ...step })
    await store.queue.add({ ...userMessage('a', 'q', 'Left'), metadata: steers }, 4_000)
    const taken = await store.runs.takeSteering(
      run.runId,
      folds(run, [delta('d')], reduced([...all, delta('d')])),
    )
    const whole = reduced([...all, delta('d'), ...taken.map(({ data }) => data), FINISH])
    await store.runs.end(run, { ...folds(run, [FINISH], whole), parts: [] }, 5_000)
    const log = await store.runs.log(run.runId)
    expect(log.map(({ no }) => no)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(log.every(({ epoch }) => epoch === FIRST_EPOCH)).toBe(true)
    expect(log.flatMap(({ chunks }) => chunks)).toEqual([
      ...all,
      delta('d'),
      ...taken.map(({ data }) => data),
      FINISH,
    ])
    expect(datas(await store.messages.get('a', 'r'))).toEqual(plain(whole.message.parts))
  })

  test('LS-8 a run that ends before its reply begins has one terminal record too, also after takeovers', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    let taken = run
    for (let host = 0; host < 2; host++) {
      const again = await store.runs.takeOver(taken, taken.startedAt + LEASE_MS)
      expect(again?.epoch).toBe(taken.epoch + 1)
      taken = again ?? taken
    }
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    await expect(store.runs.end(run, null, 5_000)).rejects.toMatchObject(fenced)
    expect(await store.runs.log(run.runId)).toEqual([])
    await store.runs.end(taken, null, 5_000)
    await expect(store.runs.end(taken, null, 5_001)).rejects.toMatchObject(fenced)
    const chunks = [{ type: 'error', errorText: expect.any(String) }]
    expect(await store.runs.log(run.runId)).toEqual([{ no: 1, epoch: FIRST_EPOCH + 2, chunks }])
    expect((await store.messages.visible('a')).map(({ id }) => id)).toEqual(['m1'])
  })

  test('DA-2 a message that is being written is read with its tail, wherever its log was folded', async () => {
    await using fixture = await open()
    const { store } = fixture
    let number = 0
    const courses = fc.record({
      chunks: randomChunks(30),
      cuts: fc.array(fc.record({ size: fc.integer({ min: 1, max: 6 }), fold: fc.boolean() }), {
        minLength: 1,
      }),
    })
    await fc.assert(
      fc.asyncProperty(courses, async ({ chunks, cuts }) => {
        number += 1
        const sessionId = `s${number}`
        const run = lease(sessionId, 1)
        await store.sessions.create(newSession(sessionId))
        await store.runs.begin(run, asks(userMessage(sessionId, `${sessionId}m`, 'Go')))
        const id = `${sessionId}r`
        const own = (write: RecordWrite): RecordWrite => ({
          ...write,
          messageId: id,
          parts: write.parts.map((part) => ({ ...part, id: `${id}_${part.index}` })),
        })
        await store.runs.record(own(folds(run, START, reduced(START))))
        let state = reduced(START)
        let [place, turn] = [0, 0]
        while (place < chunks.length) {
          const { size, fold } = cuts[turn++ % cuts.length] ?? { size: 1, fold: false }
          const piece = chunks.slice(place, place + size).filter(({ type }) => type !== 'reset-step')
          place += size
          state = piece.reduce(reduceChunk, state)
          await store.runs.record(own(fold ? folds(run, piece, state) : appends(run, piece)))
          const expected = plain(state.message.parts)
          expect(plain(datas(await store.messages.get(sessionId, id)))).toEqual(expected)
        }
        const expected = plain(state.message.parts)
        const { items } = await store.messages.page({ sessionId, limit: 5, hidden: true })
        expect(plain(datas(items.at(-1)))).toEqual(expected)
        expect(plain(datas((await store.messages.visible(sessionId)).at(-1)))).toEqual(expected)
        expect(plain(datas((await store.history.messagesAt(sessionId, [[1, 9]])).at(-1)))).toEqual(expected)
        const lines = await exported(store, sessionId)
        expect(lines[0]?.rows).toBe(lines.length)
        expect(exportedParts(lines, id)).toEqual(expected)
      }),
      { numRuns: 15 },
    )
  })

  test('DA-2 OB-1 an export during a run carries the reply as far as it was appended', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    const opened = [...START, delta('One')]
    await store.runs.record(folds(run, opened, reduced(opened)))
    await store.queue.add({ ...userMessage('a', 'q', 'Left'), metadata: steers }, 4_000)
    const before = await exported(store, 'a')
    const said: ChatChunk = { type: 'message-metadata', messageMetadata: { finishReason: 'other' } }
    await store.runs.record(appends(run, [delta(', two'), said, ...SECOND]))
    const lines = await exported(store, 'a')
    expect(lines[0]?.rows).toBe(lines.length)
    expect(exportedParts(lines, 'r')).toMatchObject([{ text: 'One, two' }, { text: 'More' }])
    const parts = lines.filter(({ type }) => type === 'part').map(({ data }) => data)
    expect(parts.map((part) => [part['message_id'], part['index']])).toEqual([
      ['m1', 0],
      ['r', 0],
      ['r', 1],
      ['q', 0],
    ])
    expect(parts[1]).toMatchObject({ id: 'prt_r_0', session_id: 'a', type: 'text', tool_call_id: null })
    expect(lines.find(({ data }) => data['id'] === 'r')?.data['metadata_json']).toContain('finish_reason')
    const others = (all: typeof lines) =>
      all.flatMap(({ data }) => (data['message_id'] === 'r' || data['id'] === 'r' ? [] : data))
    expect(others(lines)).toEqual(others(before))
    const imported = await store.history.importRows(given(lines))
    const copies = await store.messages.visible(imported.id)
    expect(texts(copies.at(-1) ?? null)).toEqual(['One, two', 'More'])
  })

  test('DA-2 what a search shows of a message that is being written has its tail', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    const opened = [...START, delta('Apples')]
    const step = { usage: null, contextTokens: null, contextEstimated: false, model: MODEL }
    await store.runs.commitStep({ ...folds(run, opened, reduced(opened)), ...step, systemPrompt: null })
    await store.runs.record(appends(run, [delta(' and pears')]))
    const { items } = await store.messages.search({ text: 'apples', limit: 5 })
    expect(items.map(({ snippet }) => snippet)).toEqual(['\u0002Apples\u0003 and pears'])
  })

  test('DA-2 RV-1 a host that died between two folds leaves all that was appended', async () => {
    await using fixture = await open()
    const run = await beginRun(fixture.store)
    await fixture.store.runs.record(folds(run, START, reduced(START)))
    await fixture.store.runs.record(appends(run, [delta('One'), delta(', two')]))
    const next = await fixture.restart()
    const [orphan] = await next.runs.orphans(9_000)
    expect(texts(orphan?.message ?? null)).toEqual(['One, two'])
  })

  test('DA-17 a write of another epoch or of a run that is over changes nothing and fails by name', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, [...START, delta('One')], reduced([...START, delta('One')])))
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    const other = appends(run, [delta('x')], FIRST_EPOCH + 1)
    const step = { usage: null, contextTokens: 9, contextEstimated: false, model: MODEL, systemPrompt: null }
    const before = [await store.sessions.get('a'), await store.messages.get('a', 'r')]
    await expect(store.runs.record(other)).rejects.toMatchObject(fenced)
    await expect(store.runs.commitStep({ ...other, ...step })).rejects.toMatchObject(fenced)
    await expect(store.runs.takeSteering(run.runId, other)).rejects.toMatchObject(fenced)
    await expect(store.runs.end(run, other, 9_000)).rejects.toMatchObject(fenced)
    expect([await store.sessions.get('a'), await store.messages.get('a', 'r')]).toEqual(before)
    expect(await store.runs.log(run.runId)).toHaveLength(1)
    await store.runs.end(run, appends(run, [FINISH]), 5_000)
    await expect(store.runs.record(appends(run, [delta('late')]))).rejects.toMatchObject(fenced)
    expect(await store.runs.log(run.runId)).toHaveLength(2)
  })

  test('DA-17 a write that appends nothing, and a change of the history, are fenced like any other', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, START, reduced(START)))
    const before = [await store.sessions.get('a'), await store.messages.get('a', 'r')]
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    const { runId } = run
    const stale = { runId, epoch: FIRST_EPOCH + 1 }
    const empty = { ...replyWrite(run, 'r', [{ type: 'text', text: 'x' }]), log: { ...stale, chunks: [] } }
    await expect(store.runs.record({ ...empty, log: { ...empty.log, open: null } })).rejects.toMatchObject(
      fenced,
    )
    await expect(
      store.runs.record({ ...empty, log: { ...empty.log, open: { text: {}, reasoning: {} } } }),
    ).rejects.toMatchObject(fenced)
    const summary = (id: string) => compaction('a', id, { lastSeq: 2, to: 1 })
    await expect(store.history.apply(summary('op_1'), stale)).rejects.toMatchObject(fenced)
    await expect(store.history.apply(summary('op_1'))).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    expect([await store.sessions.get('a'), await store.messages.get('a', 'r')]).toEqual(before)
    await store.history.apply(summary('op_1'), { runId, epoch: FIRST_EPOCH })
    await store.runs.end(run, null, 5_000)
    const late = store.history.apply(summary('op_2'), { runId, epoch: FIRST_EPOCH })
    await expect(late).rejects.toMatchObject(fenced)
  })

  test('DA-17 a claim is taken over after its expiry alone, once, and then fences the run that had it', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, START, reduced(START)))
    const expiry = run.startedAt + LEASE_MS
    expect(await store.runs.orphans(expiry - 1)).toEqual([])
    expect(await store.runs.takeOver(run, expiry - 1)).toBeNull()
    expect(await store.runs.renew([run.runId, 'run_other'], expiry - 1)).toEqual([run.runId])
    expect(await store.runs.orphans(expiry)).toEqual([])
    expect(await store.runs.takeOver(run, expiry)).toBeNull()
    const later = expiry - 1 + LEASE_MS
    const [orphan] = await store.runs.orphans(later)
    expect(orphan).toMatchObject({ lease: { ...run, epoch: FIRST_EPOCH }, message: { id: 'r' } })
    const takers = await Promise.all([1, 2, 3].map(() => store.runs.takeOver(run, later)))
    const [taken, ...others] = takers.filter((lease) => lease !== null)
    expect(taken).toEqual({ ...run, epoch: FIRST_EPOCH + 1 })
    expect(others).toEqual([])
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    await expect(store.runs.record(appends(run, [delta('late')]))).rejects.toMatchObject(fenced)
    await expect(store.runs.end(run, null, 9_000)).rejects.toMatchObject(fenced)
    await expect(store.runs.begin(lease('a', 2), { type: 'existing', change: null })).rejects.toMatchObject({
      code: 'SESSION_BUSY',
    })
    await store.runs.end({ ...run, ...taken }, appends(run, [FINISH], FIRST_EPOCH + 1), 9_000)
    const log = await store.runs.log(run.runId)
    expect(log.map(({ no, epoch }) => [no, epoch])).toEqual([
      [1, FIRST_EPOCH],
      [2, FIRST_EPOCH + 1],
    ])
    expect(await store.runs.renew([run.runId], 9_000)).toEqual([])
    expect(await store.runs.begin(lease('a', 2), { type: 'existing', change: null })).not.toBeNull()
  })

  test('DA-2 the log of a run that is over goes when it is dropped, that of a run that is on stays', async () => {
    await using fixture = await open()
    const { store } = fixture
    const first = await beginRun(store)
    await store.runs.record(folds(first, START, reduced(START)))
    await store.runs.dropLog(first.runId)
    await store.runs.dropLog('unclaimed')
    expect(await store.runs.log(first.runId)).toHaveLength(1)
    await store.runs.end(first, folds(first, [FINISH], reduced(START)), 5_000)
    expect(await store.runs.log(first.runId)).toHaveLength(2)
    await store.runs.dropLog(first.runId)
    expect(await store.runs.log(first.runId)).toEqual([])
    expect(await store.messages.get('a', 'r')).not.toBeNull()
  })
}

const steers = { schemaVersion: 1 as const, createdAt: 4_000, model: MODEL, steer: true }
const exportedParts = (lines: ImportLine[], messageId: string): unknown[] =>
  lines.flatMap(({ data }) =>
    data['message_id'] === messageId ? [JSON.parse(String(data['data_json']))] : [],
  )
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
