import { expect, test } from 'vitest'
import { isUnfinished, lastTurnMessage } from './last-turn-message.ts'
import type { ChatMessage, FinishReason, MessageMetadata } from './message.ts'

const message = (id: string, role: ChatMessage['role'], metadata: Partial<MessageMetadata> = {}) => ({
  id,
  role,
  metadata: { schemaVersion: 1 as const, createdAt: 1, ...metadata },
})
const summary = message('s', 'assistant', { compactionId: 'op', summary: true, synthetic: true })

test('RV-5 the last message of a turn is the newest question or reply, whatever summaries follow', () => {
  const [question, answer] = [message('q', 'user'), message('a', 'assistant', { finishReason: 'stop' })]
  expect(lastTurnMessage([question, answer, summary, summary])).toBe(answer)
  expect(lastTurnMessage([summary, question])).toBe(question)
  expect(lastTurnMessage([summary])).toBeUndefined()
  expect(lastTurnMessage([])).toBeUndefined()
})

test('RV-5 a question and a reply that broke off are unfinished, a reply that ended is not', () => {
  const reply = (finishReason: FinishReason) => isUnfinished(message('a', 'assistant', { finishReason }))
  expect(isUnfinished(undefined)).toBe(false)
  expect(isUnfinished(message('q', 'user'))).toBe(true)
  expect(isUnfinished(message('a', 'assistant'))).toBe(true)
  expect((['stop', 'content-filter'] as const).map(reply)).toEqual([false, false])
  const broken = ['aborted', 'interrupted', 'error', 'max-steps', 'length', 'doom-loop'] as const
  expect(broken.map(reply)).toEqual(broken.map(() => true))
})
