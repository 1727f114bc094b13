import type { FinishReason } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { initialSessionState } from '../session/session-state.ts'
import { userMessage } from '../testing/session-world.ts'
import { queuePause } from './queue-pause.ts'

const base = { ...initialSessionState('s', 'ready'), queue: [userMessage('q')] }
const after = (finishReason: FinishReason) => {
  const metadata = { schemaVersion: 1 as const, createdAt: 1, finishReason }
  return {
    ...base,
    messages: [userMessage('m'), { id: 'r', role: 'assistant' as const, parts: [], metadata }],
  }
}
const failed = { state: 'error', runId: 'r', code: 'PROVIDER_ERROR', message: 'No' } as const

test('UI-15 a queue waits for a person after a reply that failed or was interrupted, also after a reload', () => {
  expect(queuePause({ ...base, status: failed })).toBe('failed')
  expect(queuePause(after('error'))).toBe('failed')
  expect(queuePause(after('interrupted'))).toBe('interrupted')
})

test('UI-15 a queue that is empty, or behind a run or a reply that ended, is not paused', () => {
  expect(queuePause({ ...after('error'), queue: [] })).toBeNull()
  expect(queuePause({ ...after('error'), status: { state: 'busy', runId: 'r', startedAt: 1 } })).toBeNull()
  expect([after('stop'), after('aborted')].map(queuePause)).toEqual([null, null])
})

test('UI-15 a queue that was stopped with its reply waits for a person and says so', () => {
  const stopped = after('aborted')
  const [question, reply] = stopped.messages
  const metadata = {
    schemaVersion: 1 as const,
    createdAt: 1,
    finishReason: 'aborted' as const,
    pausedQueue: true as const,
  }
  const messages = question && reply ? [question, { ...reply, metadata }] : []
  expect(queuePause({ ...stopped, messages })).toBe('stopped')
})
