import type { ChatPart, MessageUsage, StoredMessage } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import {
  asks,
  branchOf,
  compaction,
  exported,
  ids,
  lease,
  newSession,
  type OpenFixture,
  planned,
  removeSession,
  replyWrite,
  texts,
  turn,
  userMessage,
} from './fixtures.ts'

const PARTS: ChatPart[] = [
  { type: 'reasoning', text: 'hm', providerMetadata: { lab: { z: 1, signature: 'x', a: 0.1 } } },
  { type: 'text', text: 'zebra 🜂' },
  { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: { b: 1, a: 2 }, output: [1.5] },
]

function usage(input: number): MessageUsage {
  return { input, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5, steps: 1 }
}

/** A session `a` of one turn `m1` and two replies of all kinds of parts, `r1` and `r2`. */
async function withReplies(store: Store): Promise<void> {
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1')
  for (const [index, id] of ['r1', 'r2'].entries()) {
    const run = lease('a', index + 1)
    await store.runs.begin(run, asks(userMessage('a', `${id}q`, 'Go')))
    const { metadata, ...write } = replyWrite(run, id, PARTS)
    await store.runs.end(run, { ...write, metadata: { ...metadata, usage: usage(index + 1) } }, 5_000)
  }
}

function bodies(messages: StoredMessage[]): string[] {
  return messages.map(({ role, metadata, parts }) =>
    JSON.stringify([role, metadata, parts.map(({ data, index, prunedAt }) => [index, data, prunedAt])]),
  )
}

export function branchContract(open: OpenFixture): void {
  test('BR-1 a branch holds copies under new ids, with parts and metadata verbatim, from seq 1', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    const originals = await store.history.messagesAt('a', [[1, 4]])
    await store.history.branch(branchOf('a', 'b', [1, 2, 3, 4]))
    const copies = await store.messages.visible('b')
    expect(copies.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(bodies(copies)).toEqual(bodies(originals))
    expect(copies.map(({ createdAt }) => createdAt)).toEqual(originals.map(({ createdAt }) => createdAt))
    const known = originals.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)])
    const made = copies.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)])
    expect(known.filter((id) => made.includes(id))).toEqual([])
    expect(made.every((id) => /^(msg|prt)_[0-9a-z]{26}$/.test(id))).toBe(true)
  })

  test('BR-1 the parent keeps every row as it was, and notes the branch', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    const before = await exported(store, 'a')
    const branch = branchOf('a', 'b', [1, 2])
    await store.history.branch(branch)
    const after = await exported(store, 'a')
    expect(after.slice(0, before.length).map(({ data }) => data)).toEqual(before.map(({ data }) => data))
    expect(after.slice(before.length)).toMatchObject([{ type: 'history_op', data: { id: 'op_b' } }])
    expect((await store.history.outline('a')).operations).toEqual([branch.operation])
    expect((await store.history.outline('b')).operations).toEqual([])
  })

  test('BR-2 a branch is refused while its parent runs, and of places that hold no message', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    await expect(store.history.branch(branchOf('none', 'b', [1]))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    await expect(store.history.branch(branchOf('a', 'b', [1, 99]))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(store.history.branch(branchOf('a', 'a', [1]))).rejects.toMatchObject({ code: 'CONFLICT' })
    await store.runs.begin(lease('a', 9), asks(userMessage('a', 'm9', 'Go')))
    await expect(store.history.branch(branchOf('a', 'b', [1]))).rejects.toMatchObject({
      code: 'SESSION_BUSY',
    })
    expect(await store.sessions.get('b')).toBeNull()
    expect((await store.history.outline('a')).operations).toEqual([])
  })

  test('BR-3 usage and window of a branch are those of its copies', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    const metadata = { titledBy: 'user' as const, own: 1 }
    const copy = branchOf('a', 'b', [1, 2, 3, 4, 5, 6], { metadata, workspaceRoot: '/w', agent: 'coder' })
    const branch = await store.history.branch(copy)
    expect(branch).toMatchObject({
      parentId: 'a',
      parentMessageId: 'm',
      workspaceRoot: '/w',
      agent: 'coder',
      metadata: { ...metadata, contextEstimated: true },
      promptTokens: 3,
      completionTokens: 4,
      reasoningTokens: 6,
      cacheRead: 8,
      cacheWrite: 10,
      totalTokens: 31,
      contextTokens: 22,
      permissions: [],
      revision: 0,
      createdAt: 8_000,
      updatedAt: 8_000,
    })
    expect(await store.sessions.get('b')).toEqual(branch)
    const shorter = await store.history.branch(branchOf('a', 'c', [1, 2, 3, 4]))
    expect(shorter).toMatchObject({ promptTokens: 1, totalTokens: 15 })
  })

  test('BR-3 a window that was counted is not marked as an estimate in the branch', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    const copy = branchOf('a', 'b', [1], { metadata: { contextEstimated: true } })
    const branch = await store.history.branch({ ...copy, contextEstimated: false })
    expect(branch.metadata).toEqual({})
  })

  test('BR-3 the usage of a reply is reported once, however often it was copied', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    const report = () => store.reports.usage({ since: 0, until: 100_000 })
    const before = await report()
    await store.history.branch(branchOf('a', 'b', [1, 2, 3, 4]))
    expect(await report()).toEqual(before)
    await turn(store, 'b', 'n', { at: 9_000 })
    expect((await report())[0]?.messages).toBe((before[0]?.messages ?? 0) + 1)
  })

  test('BR-4 a family is its root and all that descends from it, in order of creation', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    await store.sessions.create(newSession('other'))
    await store.history.branch(branchOf('a', 'z', [1], { at: 8_001 }))
    await store.history.branch(branchOf('z', 'y', [1], { at: 8_002 }))
    await store.history.branch(branchOf('a', 'x', [1, 2], { at: 8_003 }))
    await store.history.branch(branchOf('y', 'w', [1], { at: 8_004, metadata: { ephemeral: true } }))
    for (const id of ['a', 'y', 'w', 'x']) {
      const family = await store.history.family(id)
      expect(family.map((session) => session.id)).toEqual(['a', 'z', 'y', 'x', 'w'])
    }
    expect(await store.history.family('w')).toContainEqual(await store.sessions.get('y'))
    expect(await store.history.family('none')).toEqual([])
    await removeSession(store, 'z')
    expect((await store.history.family('w')).map(({ id }) => id)).toEqual(['y', 'w'])
  })

  test('BR-6 copies are in the requested order, and are visible also when their originals are hidden', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2', 'm3']) await turn(store, 'a', id, { question: id })
    await store.history.apply(compaction('a', 'op_1', { lastSeq: 6, to: 4 }))
    await store.history.branch(branchOf('a', 'b', [7, 5, 6]))
    const branch = await store.messages.visible('b')
    expect(branch.map(({ seq, metadata }) => [seq, metadata.compactionId ?? null])).toEqual([
      [1, 'op_1'],
      [2, null],
      [3, null],
    ])
    await store.history.branch(branchOf('a', 'c', [1, 2, 3]))
    const inside = await store.messages.visible('c')
    expect(inside.map(texts)).toEqual([['m1'], ['Hi'], ['m2']])
    expect(inside.every(({ hiddenAt, hiddenBy }) => hiddenAt === null && hiddenBy === null)).toBe(true)
  })

  test('BR-1 outputs that were pruned stay pruned in a branch', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    const prune = planned('a', 'op_1', { lastSeq: 6 }, { kind: 'prune' }, { prune: ['prt_r1_2'] })
    await store.history.apply(prune)
    await store.history.branch(branchOf('a', 'b', [4]))
    const [copied] = await store.messages.visible('b')
    expect(copied?.parts.map(({ prunedAt }) => prunedAt)).toEqual([null, null, 7_000])
  })

  test('BR-1 a search finds the copies, and the branch by its title', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    await store.history.branch(branchOf('a', 'b', [1, 2, 3, 4], { title: 'Savanna' }))
    const copies = ids(await store.messages.visible('b'))
    const hits = await store.messages.search({ text: 'zebra', limit: 10 })
    expect(hits.items.map(({ messageId }) => messageId)).toEqual([copies[3], 'r2', 'r1'])
    const list = { limit: 9, archived: false, ephemeral: false, search: 'savan' }
    expect((await store.sessions.list(list)).items.map(({ id }) => id)).toEqual(['b'])
    await removeSession(store, 'b')
    expect((await store.messages.search({ text: 'zebra', limit: 10 })).items).toHaveLength(2)
  })

  test('BR-1 a branch takes turns like any session', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withReplies(store)
    await store.history.branch(branchOf('a', 'b', [1, 2]))
    await turn(store, 'b', 'n')
    expect((await store.messages.visible('b')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(await store.messages.visible('a')).toHaveLength(6)
  })
}
