import type { HistoryDetail } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asks,
  compaction,
  fires,
  lease,
  newSession,
  type OpenFixture,
  planned,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

async function found(store: Store, text: string, sessionId?: string): Promise<string[]> {
  const query = { text, limit: 50, ...(sessionId === undefined ? {} : { sessionId }) }
  return (await store.messages.search(query)).items.map((hit) => hit.messageId)
}

export function searchContract(open: OpenFixture): void {
  test('DA-5 a search finds messages by all words and the beginning of the last, newest first', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const id of ['a', 'b_c-d']) await store.sessions.create(newSession(id))
    await turn(store, 'a', 'm1', { question: 'Where do zebras sleep?', answer: 'Zebras sleep standing up.' })
    await turn(store, 'b_c-d', 'm2', { question: 'A café in Zürich', answer: '東京の天気 foo-bar' })
    expect(await found(store, 'zebra')).toEqual(['m1a', 'm1'])
    expect(await found(store, 'sleep ZEBRAS')).toEqual(['m1a', 'm1'])
    expect(await found(store, 'zebra sleep')).toEqual([])
    expect(await found(store, 'zebras stand')).toEqual(['m1a'])
    expect(await found(store, 'cafe zur')).toEqual(['m2'])
    expect(await found(store, '天気')).toEqual(['m2a'])
    expect(await found(store, 'bar foo')).toEqual(['m2a'])
    expect(await found(store, 'e', 'a')).toEqual([])
    expect(await found(store, 'zebras', 'b_c-d')).toEqual([])
    expect(await found(store, 'foo', 'b_c-d')).toEqual(['m2a'])
    expect(await found(store, ' !? ')).toEqual([])
  })

  test('DA-5 a hit carries its session, its role and a snippet with the hits marked', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a', { title: 'Animals' }))
    const question = `${'padding words '.repeat(40)}then a zebra, and zebras again ${'more padding '.repeat(40)}`
    await turn(store, 'a', 'm1', { question, answer: 'No.' })
    const { items } = await store.messages.search({ text: 'zebra', limit: 5 })
    expect(items).toMatchObject([
      { sessionId: 'a', sessionTitle: 'Animals', messageId: 'm1', role: 'user', createdAt: 2_000 },
    ])
    const [hit] = items
    expect(hit?.snippet).toContain('then a \u0002zebra\u0003, and \u0002zebras\u0003 again more padding')
    expect(hit?.snippet).toMatch(/^…words .*…$/)
    expect(hit?.snippet.length).toBeLessThan(220)
  })

  test('DA-5 a hit says whether its message is visible, hidden or summarised', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2', 'm3']) await turn(store, 'a', id, { question: 'zebra', answer: 'x' })
    const layers = async () => {
      const { items } = await store.messages.search({ text: 'zebra', limit: 5, sessionId: 'a' })
      return items.map(({ messageId, layer }) => `${messageId} ${layer}`)
    }
    expect(await layers()).toEqual(['m3 visible', 'm2 visible', 'm1 visible'])
    await store.history.apply(planned('a', 'op_1', { lastSeq: 6, hidden: [[5, 6]] }))
    await store.history.apply(compaction('a', 'c1', { lastSeq: 6, to: 2 }))
    expect(await layers()).toEqual(['m3 hidden', 'm2 visible', 'm1 summarised'])
    await store.history.apply(
      planned('a', 'op_2', { lastSeq: 7, shown: [[5, 6]], undoes: 'op_1' }, { kind: 'unrewind' }),
    )
    expect(await layers()).toEqual(['m3 visible', 'm2 visible', 'm1 summarised'])
    const undone = {
      lastSeq: 7,
      shown: [[1, 2]],
      hidden: [[7, 7]],
      undoes: 'c1',
    } satisfies Partial<HistoryDetail>
    await store.history.apply(planned('a', 'op_3', undone, { kind: 'uncompaction' }))
    expect(await layers()).toEqual(['m3 visible', 'm2 visible', 'm1 visible'])
    const restored = { lastSeq: 7, shown: [[7, 7]], hidden: [[1, 2]] } satisfies Partial<HistoryDetail>
    await store.history.apply(planned('a', 'op_4', restored, { kind: 'unrewind' }))
    expect(await layers()).toEqual(['m3 visible', 'm2 visible', 'm1 summarised'])
  })

  test('UI-8 questions come newest first in pages, without hidden ones and words added to a reply', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2', 'm3', 'm4'])
      await turn(store, 'a', id, { question: `  The\n${id} ${'x'.repeat(300)}` })
    await store.history.apply(planned('a', 'op_1', { lastSeq: 8, hidden: [[5, 6]] }))
    await store.history.apply(compaction('a', 'c1', { lastSeq: 8, to: 2 }))
    const run = lease('a', 9)
    await store.runs.begin(run, asks(userMessage('a', 'm5', '')))
    const steering = userMessage('a', 'q', 'on the way')
    await store.queue.add({ ...steering, metadata: { ...steering.metadata, steer: true } }, 2_500)
    const write = replyWrite(run, 'r', [{ type: 'text', text: 'Going' }])
    await store.runs.record(write)
    await store.runs.takeSteering(run.runId, { ...write, parts: [] })
    await store.runs.end(run, null, 4_000)
    const first = await store.messages.prompts({ sessionId: 'a', limit: 3 })
    expect(first.items.map(({ messageId, layer }) => `${messageId} ${layer}`)).toEqual([
      'm5 visible',
      'm4 visible',
    ])
    const query = { sessionId: 'a', limit: 3, cursor: first.nextCursor ?? '' }
    const second = await store.messages.prompts(query)
    expect(second.items.map(({ messageId, layer }) => `${messageId} ${layer}`)).toEqual([
      'm2 visible',
      'm1 summarised',
    ])
    expect(second.nextCursor).toBeNull()
    const [empty, long] = first.items
    expect(empty?.text).toBe('')
    expect(long?.text).toMatch(/^The m4 x+…$/)
    expect(long?.text).toHaveLength(201)
    await expect(store.messages.prompts({ ...query, cursor: 'x' })).rejects.toMatchObject({
      field: 'cursor',
    })
  })

  test('DA-5 words that were added to a running reply are in the layer of that reply', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const steering = userMessage('a', 'q', 'zebra on the way')
    await store.queue.add({ ...steering, metadata: { ...steering.metadata, steer: true } }, 2_500)
    const write = replyWrite(run, 'r', [{ type: 'text', text: 'Going' }])
    await store.runs.record(write)
    await store.runs.takeSteering(run.runId, { ...write, parts: [] })
    await store.runs.end(run, null, 4_000)
    const layerOf = async () =>
      (await store.messages.search({ text: 'zebra', limit: 5 })).items.map(({ layer }) => layer)
    expect(await layerOf()).toEqual(['visible'])
    await store.history.apply(planned('a', 'op_1', { lastSeq: 3, hidden: [[2, 2]] }))
    expect(await layerOf()).toEqual(['hidden'])
  })

  test('DA-10 pages of hits meet without overlap', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (let index = 0; index < 5; index++) {
      await turn(store, 'a', `m${index}`, { question: 'zebra', answer: 'x' })
    }
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const page = await store.messages.search({
        text: 'zebra',
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      })
      pages.push(page.items.map(({ messageId }) => messageId))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(pages).toEqual([['m4', 'm3'], ['m2', 'm1'], ['m0']])
  })

  test('DA-5 a reply is found once its step is committed, a queued message once it has fired', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.queue.add(userMessage('a', 'q', 'zebra in waiting'), 1_500)
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const write = replyWrite(run, 'r', [{ type: 'text', text: 'zebra so far' }])
    await store.runs.record(write)
    expect(await found(store, 'zebra')).toEqual([])
    const rest = {
      usage: null,
      contextTokens: null,
      contextEstimated: false,
      model: { providerId: 'l', modelId: 'm' },
      systemPrompt: null,
    }
    await store.runs.commitStep({ ...write, ...rest })
    expect(await found(store, 'zebra')).toEqual(['r'])
    await store.runs.end(run, replyWrite(run, 'r', [{ type: 'text', text: 'zebra and lion' }]), 4_000)
    expect(await found(store, 'lion')).toEqual(['r'])
    await store.runs.begin(lease('a', 2), fires('q'))
    expect(await found(store, 'zebra')).toEqual(['q', 'r'])
  })

  test('DA-5 no search text makes a search fail', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1', { question: `it's "quoted" AND (NEAR body:x* ^y) OR -z 50% _` })
    expect(await found(store, `"quoted" AND (NEAR`)).toEqual(['m1'])
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('"', '*', 'NOT', 'a"b', "'"),
    )
    await fc.assert(
      fc.asyncProperty(text, async (typed) => {
        await found(store, typed)
        await store.sessions.list({ limit: 5, archived: false, ephemeral: true, search: typed })
      }),
      { numRuns: 100 },
    )
  }, 30_000)
}
