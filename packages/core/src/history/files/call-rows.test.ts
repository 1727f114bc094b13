import { fileState } from '@palimpsest/testing/file-change-row.ts'
import { expect, test } from 'vitest'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/index.ts'
import { callRows } from './call-rows.ts'

const CHANGE = {
  root: '/w',
  path: 'a.txt',
  before: null,
  after: fileState('new'),
  status: 'made',
  reason: null,
} as const

const session = (id: string, parentId: string | null = null, subagent = parentId !== null) =>
  ({
    id,
    parentId,
    parentMessageId: parentId === null ? null : `${parentId}_reply`,
    metadata: subagent ? { subagent: { agent: 'general' } } : {},
  }) as unknown as Session

/** Sessions whose replies are called after them, without those that are gone. */
function storeOf(sessions: readonly Session[], withoutReply: readonly string[] = []): Store {
  const byId = new Map(sessions.map((one) => [one.id, one]))
  return {
    sessions: { get: (id: string) => Promise.resolve(byId.get(id) ?? null) },
    messages: {
      get: (sessionId: string) =>
        Promise.resolve(
          withoutReply.includes(sessionId) ? null : { metadata: { runId: `run_of_${sessionId}` } },
        ),
    },
  } as unknown as Store
}

async function rowsOf(owner: Session, store: Store) {
  const ports = { store, clock: { now: () => 9 } as never }
  const rows = await callRows({ session: owner, runId: 'run', messageId: 'reply' }, 'call', CHANGE, ports)
  return rows.map(({ sessionId, runId, messageId, toolCallId, madeIn }) => ({
    sessionId,
    runId,
    messageId,
    toolCallId,
    madeIn,
  }))
}

test('RW-5 a call of a chat makes one row, of its reply, run and call', async () => {
  const chat = session('chat')
  expect(await rowsOf(chat, storeOf([chat]))).toEqual([
    { sessionId: 'chat', runId: 'run', messageId: 'reply', toolCallId: 'call', madeIn: 'chat' },
  ])
})

test('RW-5 a row holds the change as it was given, and when it was made', async () => {
  const chat = session('chat')
  const ports = { store: storeOf([chat]), clock: { now: () => 9 } as never }
  const [row] = await callRows({ session: chat, runId: 'run', messageId: 'reply' }, null, CHANGE, ports)
  expect(row).toMatchObject({ ...CHANGE, author: 'call', operationId: null, toolCallId: null, createdAt: 9 })
})

test('RW-5 SA-2 a subagent’s change is a row of its own and one of the chat above, at the reply that started it', async () => {
  const [chat, child] = [session('chat'), session('child', 'chat')]
  expect(await rowsOf(child, storeOf([chat, child]))).toEqual([
    { sessionId: 'child', runId: 'run', messageId: 'reply', toolCallId: 'call', madeIn: 'child' },
    { sessionId: 'chat', runId: 'run_of_chat', messageId: 'chat_reply', toolCallId: null, madeIn: 'child' },
  ])
})

test('RW-5 SA-2 a subagent’s subagent makes a row of each session above it', async () => {
  const [chat, child, inner] = [session('chat'), session('child', 'chat'), session('inner', 'child')]
  const rows = await rowsOf(inner, storeOf([chat, child, inner]))
  expect(rows.map(({ sessionId, messageId, madeIn }) => [sessionId, messageId, madeIn])).toEqual([
    ['inner', 'reply', 'inner'],
    ['child', 'child_reply', 'inner'],
    ['chat', 'chat_reply', 'inner'],
  ])
})

test('RW-5 BR-1 a branch is no subagent: what it changes is its own alone', async () => {
  const [chat, branch] = [session('chat'), session('branch', 'chat', false)]
  expect(await rowsOf(branch, storeOf([chat, branch]))).toMatchObject([{ sessionId: 'branch' }])
})

test('RW-5 a subagent of a branch ends at the branch', async () => {
  const [chat, branch] = [session('chat'), session('branch', 'chat', false)]
  const child = session('child', 'branch')
  const rows = await rowsOf(child, storeOf([chat, branch, child]))
  expect(rows.map(({ sessionId }) => sessionId)).toEqual(['child', 'branch'])
})

test('RW-5 a chat above that is gone gets no row', async () => {
  const child = session('child', 'chat')
  expect((await rowsOf(child, storeOf([child]))).map(({ sessionId }) => sessionId)).toEqual(['child'])
})

test('RW-5 a reply above without a run is a row without one', async () => {
  const [chat, child] = [session('chat'), session('child', 'chat')]
  expect(await rowsOf(child, storeOf([chat, child], ['chat']))).toMatchObject([
    { sessionId: 'child' },
    { sessionId: 'chat', runId: null, messageId: 'chat_reply' },
  ])
})
