import type { PendingPermission, PendingQuestion, SessionStatus } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { endedLong, waitingChats } from './waiting-chats.ts'

const ids = (id: string, rootSessionId: string, createdAt: number) => ({
  id,
  sessionId: `child of ${rootSessionId}`,
  rootSessionId,
  runId: 'run_1',
  messageId: 'msg_1',
  toolCallId: 'call_1',
  createdAt,
})
const permission = (...facts: Parameters<typeof ids>): PendingPermission => ({
  ...ids(...facts),
  tool: 'bash',
  args: {},
  reason: '',
  patterns: [],
})
const question = (...facts: Parameters<typeof ids>): PendingQuestion => ({ ...ids(...facts), questions: [] })

test('UI-42 requests are listed by chat, those of subagents with it, the oldest request first', () => {
  const chats = waitingChats({
    permissions: [permission('b', 'ses_b', 2), permission('a', 'ses_a', 3)],
    questions: [question('c', 'ses_a', 1)],
  })
  expect(chats.map(({ id }) => id)).toEqual(['ses_a', 'ses_b'])
  expect(chats[0]?.asks.permissions.map(({ id }) => id)).toEqual(['a'])
  expect(chats[0]?.asks.questions.map(({ id }) => id)).toEqual(['c'])
})

const busy: SessionStatus = { state: 'busy', runId: 'run_1', startedAt: 1_000 }
const waiting: SessionStatus = { ...busy, state: 'waiting', waitingOn: 'approval' }
const failed: SessionStatus = { state: 'error', runId: 'run_1', code: 'INTERNAL', message: 'No' }

test.each<[string, SessionStatus, SessionStatus | null, number, string[]]>([
  ['after more than 30 seconds', busy, { state: 'idle' }, 31_001, ['ses_1']],
  ['by a failure', waiting, failed, 31_001, ['ses_1']],
  ['within 30 seconds', busy, { state: 'idle' }, 31_000, []],
  ['not, but waits', busy, waiting, 90_000, []],
  ['not, but is unknown after a lost connection', busy, null, 90_000, []],
  ['before', failed, { state: 'idle' }, 90_000, []],
])('UI-41 a reply that ended %s counts as a long one or does not', (_, was, is, now, ended) => {
  expect(endedLong({ ses_1: was }, is === null ? {} : { ses_1: is }, now)).toEqual(ended)
})
