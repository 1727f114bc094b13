import type { Ask, Session } from '@palimpsest/core/domain'
import type { SessionQuery, Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { asks, lease, newSession, type OpenFixture, replyWrite, turn, userMessage } from './fixtures.ts'

const LIST: SessionQuery = { limit: 50, archived: false, ephemeral: false }
const GONE = { code: 'SESSION_NOT_FOUND' }

async function ids(store: Store, query: Partial<SessionQuery> = {}): Promise<string[]> {
  const { items } = await store.sessions.list({ ...LIST, ...query })
  return items.map(({ id }) => id)
}

function subagentOf(
  ancestors: string[],
  id: string,
  { at = 2_000, askId = null }: { at?: number; askId?: string | null } = {},
) {
  const subagent = {
    ancestors,
    callerAgent: 'assistant',
    askId,
    ...(askId === null && { undelivered: true as const }),
  }
  const parentId = ancestors.at(-1) ?? null
  return newSession(id, { parentId, parentMessageId: 'm1', metadata: { subagent }, at })
}

/** A chat `a`, and its subagents: `b` in the background, `c`, and `d` of `c`. */
async function openFamily(store: Store): Promise<void> {
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question: 'Go', answer: 'Well' })
  await store.sessions.create(subagentOf(['a'], 'b'))
  await store.sessions.create(subagentOf(['a'], 'c', { at: 2_001, askId: 'tsk_c' }))
  await store.sessions.create(subagentOf(['a', 'c'], 'd', { at: 2_002 }))
}

const result = (id: string) => ({
  id,
  role: 'assistant' as const,
  metadata: { schemaVersion: 1 as const, createdAt: 3_000, synthetic: true as const },
  parts: [{ type: 'text' as const, text: 'quokka' }],
})

export function subagentContract(open: OpenFixture): void {
  test('SA-1 subagents are listed for their parent alone', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    expect(await ids(store)).toEqual(['a'])
    expect(await ids(store, { agent: 'chat' })).toEqual(['a'])
    expect(await ids(store, { search: 'Go' })).toEqual(['a'])
    expect(await ids(store, { parentId: 'a' })).toEqual(['c', 'b'])
    expect(await ids(store, { parentId: 'c' })).toEqual(['d'])
  })

  test('SA-1 BU-2 the subagents of a reply are found by it, and no branch is', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    await store.sessions.create(newSession('branch', { parentId: 'a', parentMessageId: 'm1' }))
    expect((await store.subagents.startedBy('a', 'm1')).toSorted()).toEqual(['b', 'c'])
    expect(await store.subagents.startedBy('c', 'm1')).toEqual(['d'])
    expect(await store.subagents.startedBy('a', 'm2')).toEqual([])
  })

  test('SA-1 DA-14 subagents are deleted, restored and purged with their parent', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    await store.sessions.create(newSession('branch', { parentId: 'a' }))
    expect((await store.sessions.deletion('a', false)).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    await store.sessions.delete('a', { withBranches: false, at: 5_000 })
    expect(await store.sessions.get('d')).toBeNull()
    expect(await ids(store)).toEqual(['branch'])
    expect(await ids(store, { deleted: true })).toEqual(['a'])
    const restored = await store.sessions.restore('a', 6_000)
    expect(restored.map(({ id }: Session) => id).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    await store.sessions.delete('a', { withBranches: false, at: 7_000 })
    expect((await store.sessions.purge('a')).sessions.toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('SA-3 the result of a subagent lands once in the history of its parent', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    expect((await store.subagents.undelivered(null)).map(({ id }) => id)).toEqual(['b', 'd'])
    expect((await store.subagents.undelivered('a')).map(({ id }) => id)).toEqual(['b'])
    const landed = await store.subagents.deliver('b', result('r1'), 4_000)
    expect(landed).toMatchObject({
      parent: { id: 'a', updatedAt: 4_000 },
      message: { id: 'r1', sessionId: 'a', role: 'assistant', queuedAt: null },
    })
    expect(await store.subagents.deliver('b', result('r2'), 4_000)).toBeNull()
    expect(await store.subagents.deliver('c', result('r3'), 4_000)).toBeNull()
    const visible = await store.messages.visible('a')
    expect(visible.at(-1)).toEqual(landed?.message)
    expect(visible.map(({ id }) => id)).not.toContain('r2')
    expect((await store.messages.search({ text: 'quokka', limit: 5 })).items).toHaveLength(1)
    expect((await store.sessions.get('b'))?.metadata.subagent).toEqual({
      ancestors: ['a'],
      callerAgent: 'assistant',
      askId: null,
    })
    const after = await fixture.restart()
    expect((await after.subagents.undelivered(null)).map(({ id }) => id)).toEqual(['d'])
  })

  test('SA-3 no result lands while a run is on in the parent, nor without a parent', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    await store.runs.begin(lease('a', 2), asks(userMessage('a', 'm9', 'And')))
    await expect(store.subagents.deliver('b', result('r1'), 4_000)).rejects.toMatchObject({
      code: 'SESSION_BUSY',
    })
    expect((await store.subagents.undelivered('a')).map(({ id }) => id)).toEqual(['b'])
    await store.runs.end(lease('a', 2), null, 5_000)
    expect(await store.subagents.deliver('b', result('r1'), 5_000)).not.toBeNull()
    await expect(store.subagents.deliver('x', result('r2'), 5_000)).rejects.toMatchObject(GONE)
  })

  test('SA-1 the open asks of a session are its own and those of the subagents whose root it is', async () => {
    await using fixture = await open()
    const { store } = fixture
    await openFamily(store)
    const run = lease('d', 1)
    await store.runs.begin(run, asks(userMessage('d', 'm5', 'Work')))
    const ask: Ask = {
      id: 'q1',
      sessionId: 'd',
      rootSessionId: 'a',
      runId: run.runId,
      messageId: 'r',
      toolCallId: 'call_1',
      step: 1,
      request: { kind: 'answer', questions: [], subagent: 'general' },
      reply: null,
      createdAt: 3_000,
    }
    const task: Ask = {
      ...ask,
      id: 'tsk_1',
      toolCallId: 'call_2',
      request: { kind: 'task', task: { sessionId: 'e', agent: 'general', prompt: 'Work' } },
      createdAt: 2_999,
    }
    const write = replyWrite(run, 'r', [{ type: 'text', text: 'May I?' }])
    await store.runs.ask(write, [task, ask])
    for (const id of ['a', 'd']) expect(await store.asks.open(id)).toEqual([task, ask])
    expect(await store.asks.open('c')).toEqual([])
    await store.runs.pause(run, write, 4_000)
    expect(await store.runs.waiting()).toMatchObject([{ on: 'answer' }])
    const end = { type: 'ended', outcome: 'finished', text: 'Done', truncated: true } as const
    expect(await store.asks.reply('tsk_1', end, 5_000)).toEqual({ ...task, reply: end })
    expect(await store.runs.resume(run.runId, 5_000)).toBeNull()
  })
}
