import type { ChatMessage, Session } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { branchPoint } from '../history/actions/branch-point.ts'
import { countAfterFork } from '../history/versions/count-after-fork.ts'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import { isCompacting, isOperation, NO_COMPACTION, nextCompaction, whenIdle } from './compaction.ts'
import { familyOf, findNode, type LineageNode } from './forks.ts'
import { isSummary, summaryData } from './summary.ts'
import { hideMessages, isHidden, showMessages } from './visibility.ts'

const at = (id: string, createdAt: number, facts: Partial<ChatMessage['metadata']> = {}): ChatMessage => ({
  ...userMessage(id),
  metadata: { schemaVersion: 1, createdAt, ...facts },
})
const session = (id: string, facts: Partial<Session> = {}): Session => ({
  ...createSessionWorld(id).snapshot(1).view,
  ...facts,
})

test('UI-19 a branch counts what was said since it was made, and not what it was made with', () => {
  const branch = session('b', { parentId: 'root', parentMessageId: 'm2', createdAt: 10 })
  const items = [at('x1', 1), at('x2', 2), at('x3', 11), at('x4', 12)]
  expect(countAfterFork(branch, [session('root'), branch], { items, nextCursor: null })).toEqual({
    messages: 2,
    more: false,
  })
})

test('UI-19 the chat that was branched from counts what comes after the fork', () => {
  const root = session('root')
  const branch = session('b', { parentId: 'root', parentMessageId: 'm2', createdAt: 10 })
  const items = [at('m1', 1), at('m2', 2), at('m3', 3)]
  expect(countAfterFork(root, [root, branch], { items, nextCursor: 'above' })).toEqual({
    messages: 1,
    more: false,
  })
})

test('UI-19 a page that does not reach up to the fork says that there is more', () => {
  const branch = session('b', { parentId: 'root', parentMessageId: 'm2', createdAt: 10 })
  const items = [at('x3', 11), at('x4', 12)]
  expect(countAfterFork(branch, [branch], { items, nextCursor: 'above' })).toEqual({
    messages: 2,
    more: true,
  })
  expect(countAfterFork(branch, [branch], { items, nextCursor: null })).toEqual({ messages: 2, more: false })
})

test('UI-19 a summary is no message of a version', () => {
  const branch = session('b', { parentId: 'root', createdAt: 10 })
  const items = [at('s', 11, { summary: true }), at('x', 12)]
  expect(countAfterFork(branch, [branch], { items, nextCursor: null }).messages).toBe(1)
})

const node = (id: string, children: LineageNode[] = []): LineageNode => ({
  session: session(id),
  forkMessageId: null,
  children,
})
const tree = node('a', [node('b', [node('c')]), node('d')])

test('UI-19 everybody of a family is found, parents before their children', () => {
  expect(familyOf(tree).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  for (const id of ['a', 'b', 'c', 'd']) expect(findNode(tree, id)?.session.id).toBe(id)
  expect(findNode(tree, 'x')).toBeNull()
})

const sized = (id: string, tokens: number): ChatMessage => ({
  ...at(id, 0, { window: { tokens } }),
  role: 'assistant',
})

test('UI-19 a branch for a smaller model starts at the latest reply that fits its window', () => {
  const shown = [userMessage('q1'), sized('r1', 100), userMessage('q2'), sized('r2', 800), userMessage('q3')]
  expect(branchPoint(shown, 1_000)).toMatchObject({ messageId: 'r2', prompt: { id: 'q2' } })
  expect(branchPoint(shown, 999)).toMatchObject({ messageId: 'r1', prompt: { id: 'q1' } })
  expect(branchPoint(shown, 100)).toBeNull()
  expect(branchPoint([], 1_000)).toBeNull()
})

const started = { type: 'compaction-started', sessionId: 's', auto: true } as const

test('UI-21 a summary is in progress from its start event to its end event, or until nothing runs', () => {
  const running = nextCompaction(started)
  expect(running).toEqual({ type: 'running', auto: true })
  expect(whenIdle(running)).toEqual(NO_COMPACTION)
  expect(isCompacting(running, { state: 'idle' })).toBe(true)
  expect(isCompacting(NO_COMPACTION, { state: 'busy', runId: 'op_7', startedAt: 0 })).toBe(true)
  expect(isCompacting(NO_COMPACTION, { state: 'busy', runId: 'run_7', startedAt: 0 })).toBe(false)
  expect(isOperation('run_op_1')).toBe(false)
})

test('UI-21 a summary that failed says so until it is put away', () => {
  const failed = { type: 'failed', message: 'The window is full.' } as const
  expect(whenIdle(failed)).toBe(failed)
  expect(isCompacting(failed, { state: 'idle' })).toBe(false)
})

test('UI-21 a summary is read as far as it can be, and a part that holds none is none', () => {
  const holding = (data: unknown): ChatMessage => ({
    ...at('s', 0, { summary: true }),
    parts: [{ type: 'data-compaction', data }],
  })
  expect(
    summaryData(holding({ summary: 'So far', tail_start_id: 'm', before_tokens: 41, after_tokens: 'x' })),
  ).toEqual({
    summary: 'So far',
    tailStartId: 'm',
    auto: false,
    beforeTokens: 41,
    afterTokens: 0,
  })
  for (const odd of [null, 'text', {}, { summary: 4, tail_start_id: 'm' }]) {
    expect(summaryData(holding(odd))).toBeNull()
  }
  expect(summaryData(userMessage('m'))).toBeNull()
  expect([isSummary(holding({})), isSummary(userMessage('m'))]).toEqual([true, false])
})

test('UI-17 what is hidden and shown again is as it was, and the others are not touched', () => {
  const messages = [at('a', 1), at('b', 2), at('c', 3)]
  const hidden = hideMessages(messages, { messageIds: ['b', 'gone'], hiddenBy: 'op_1' })
  expect(hidden.map(isHidden)).toEqual([false, true, false])
  expect(hidden[0]).toBe(messages[0])
  expect(showMessages(hidden, ['b', 'gone'])).toEqual(messages)
})
