import { type ChatChunk, type ChatPart, FIRST_EPOCH, reduceChunk } from '@palimpsest/core/domain'
import type { ImportLine, RecordWrite } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomChunks } from '../random-chunks.ts'
import {
  asks,
  exported,
  given,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  texts,
  userMessage,
} from './fixtures.ts'
import { appends, beginRun, delta, FINISH, folds, reduced, START } from './run-writes.ts'

const SECOND: ChatChunk[] = [
  { type: 'text-start', id: 'u' },
  { type: 'text-delta', id: 'u', delta: 'More' },
]
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

  test('DA-2 the excerpt of a message that is being written contains its tail', async () => {
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
