import type { Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { recall } from '../../../core/src/history/read/recall.ts'
import { branchOf, compaction, newSession, type OpenFixture, planned, turn } from './fixtures.ts'

async function found(store: Store, query: string, sessionId = 'a'): Promise<string[]> {
  const session = await store.sessions.get(sessionId)
  if (session === null) throw new Error(`There is no ${sessionId}.`)
  return (await recall(session, query, { store })).map(({ messageId }) => messageId)
}

/** Two turns of which the first is summarised. */
async function withSummary(store: Store): Promise<void> {
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question: 'The zebra port is 5433', answer: 'Noted, zebra', at: 1_000 })
  await turn(store, 'a', 'm2', { question: 'The zebra host is lab', at: 2_000 })
  await store.history.apply(compaction('a', 'op_1', { lastSeq: 4, to: 2 }))
}

export function recallContract(open: OpenFixture): void {
  test('ME-3 what a compaction has summarised is found by its words, the latest first, and nothing that is visible', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withSummary(store)
    expect(await found(store, 'zebra')).toEqual(['m1a', 'm1'])
    expect(await found(store, 'zebra 5433')).toEqual(['m1'])
    expect(await found(store, 'lab')).toEqual([])
    expect(await found(store, '…')).toEqual([])
  })

  test('ME-3 where no message has all words, those with most of them are found', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withSummary(store)
    expect(await found(store, 'which port has the giraffe')).toEqual(['m1'])
    expect(await found(store, 'noted port zebra giraffe')).toEqual(['m1a', 'm1'])
  })

  test('ME-3 what is no longer summarised, was rewound, or is in another session is not found', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withSummary(store)
    await store.sessions.create(newSession('b'))
    expect(await found(store, 'zebra', 'b')).toEqual([])
    const back: Parameters<typeof planned>[2] = { lastSeq: 5, hidden: [[5, 5]], shown: [[1, 2]] }
    await store.history.apply(planned('a', 'op_2', back, { kind: 'uncompaction' }))
    expect(await found(store, 'zebra')).toEqual([])
    await store.history.apply(planned('a', 'op_3', { lastSeq: 5, hidden: [[1, 4]] }))
    expect(await found(store, 'zebra')).toEqual([])
  })

  test('ME-3 a branch finds what was summarised before its fork in the session that it comes from, and nothing after', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withSummary(store)
    const early = branchOf('a', 'early', [3, 4, 5], { parentMessageId: 'm2a' })
    await store.history.branch(early)
    await turn(store, 'a', 'm3', { question: 'The zebra stripe', at: 9_000 })
    await store.history.apply(compaction('a', 'op_4', { lastSeq: 7, to: 7 }))
    expect(await found(store, 'zebra', 'early')).toEqual(['m2', 'm1a', 'm1'])
    expect(await found(store, 'stripe', 'early')).toEqual([])
    expect(await found(store, 'stripe')).toEqual(['m3'])
  })

  test('ME-3 of many and long messages at most 8 passages of 1,500 characters come, around the words', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const long = `${'x '.repeat(5_000)}zebra${' y'.repeat(5_000)}`
    for (let at = 1; at <= 12; at++) await turn(store, 'a', `m${at}`, { question: long, at: at * 100 })
    await store.history.apply(compaction('a', 'op_1', { lastSeq: 24, to: 22 }))
    const session = await store.sessions.get('a')
    const passages = session === null ? [] : await recall(session, 'zebra', { store })
    expect(passages).toHaveLength(8)
    for (const { text } of passages) {
      expect(text).toContain('zebra')
      expect(text.length).toBeLessThanOrEqual(1_502)
    }
  })
}
