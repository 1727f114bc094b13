import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '../limits.ts'
import type { Ask } from '../permission/ask.ts'
import type { ChatPart, FinishReason } from './message.ts'
import { ABORTED_BY_PARENT, failed, SUBAGENT_STOPPED, taskChunks, taskEndOf } from './task-end.ts'

const text = (words: string): ChatPart => ({ type: 'text', text: words })
const STEP: ChatPart = { type: 'step-start' }

const ended = (finishReason: FinishReason | undefined, ...parts: ChatPart[]) =>
  taskEndOf({ metadata: { ...(finishReason !== undefined && { finishReason }) }, parts })

test.for([
  ['stop', 'finished', 'Words'],
  ['max-steps', 'finished', 'Words\n\n(The subagent ended early: max-steps.)'],
  ['budget', 'finished', 'Words\n\n(The subagent ended early: budget.)'],
  ['length', 'finished', 'Words\n\n(The subagent ended early: length.)'],
  ['aborted', 'failed', SUBAGENT_STOPPED],
  ['error', 'failed', 'The subagent failed: the reason is not known.'],
  ['interrupted', 'failed', expect.stringContaining('aborted by host restart')],
  [undefined, 'failed', expect.stringContaining('aborted by host restart')],
] as const)('SA-3 a reply that ended with %s is the end of its subagent', ([reason, outcome, said]) => {
  expect(ended(reason, STEP, text('Words'))).toEqual({ outcome, text: said })
})

test('SA-2 the error of a subagent is that of its run', () => {
  const error = { code: 'PROVIDER_ERROR', message: 'No credit.' } as const
  expect(taskEndOf({ metadata: { finishReason: 'error', error }, parts: [] })).toEqual(
    failed('The subagent failed: No credit.'),
  )
})

test('SA-3 the result is the text of the last step that has any', () => {
  expect(ended('stop', STEP, text('First'), STEP, text('A'), text('B'), STEP, text(' '))).toEqual({
    outcome: 'finished',
    text: 'A\n\nB',
  })
  expect(ended('stop', STEP)).toEqual({ outcome: 'finished', text: 'The subagent ended without a text.' })
})

test('SA-3 a result has at most 100,000 characters, and says when it is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: LIMITS.taskCharacters - 3, max: LIMITS.taskCharacters + 3 }), (length) => {
      const end = ended('stop', text('a'.repeat(length)))
      expect(end.text.length).toBe(Math.min(length, LIMITS.taskCharacters))
      expect(end.truncated === true).toBe(length > LIMITS.taskCharacters)
    }),
  )
})

const ASK: Ask = {
  id: 'tsk_1',
  sessionId: 'ses_p',
  rootSessionId: 'ses_p',
  runId: 'run_1',
  messageId: 'msg_1',
  toolCallId: 'c1',
  step: 1,
  request: { kind: 'task', task: { sessionId: 'ses_c', agent: 'explore', prompt: 'Look' } },
  reply: null,
  createdAt: 100,
}

test('SA-3 SA-4 the call of a subagent gets its end with its session and how long it took', () => {
  const chunks = (reply: Ask['reply']) => taskChunks({ ...ASK, reply }, 112)
  expect(chunks({ type: 'ended', outcome: 'finished', text: 'Found', truncated: true })).toMatchObject([
    {
      type: 'tool-output-available',
      toolCallId: 'c1',
      output: {
        text: 'Found\n\nSession of the subagent: ses_c',
        data: { sessionId: 'ses_c', agent: 'explore' },
        metadata: { duration_ms: 12, truncated: true },
      },
    },
  ])
  expect(chunks({ type: 'ended', ...failed(ABORTED_BY_PARENT) })).toEqual([
    {
      type: 'tool-output-error',
      toolCallId: 'c1',
      errorText: 'aborted by parent',
      toolMetadata: { duration_ms: 12, session_id: 'ses_c', agent: 'explore' },
    },
  ])
})

test('SA-3 an ask without an end, or about something else, has no end for a call', () => {
  expect(taskChunks(ASK, 112)).toEqual([])
  const asked: Ask = { ...ASK, request: { kind: 'answer', questions: [] }, reply: { type: 'cancelled' } }
  expect(taskChunks(asked, 112)).toEqual([])
})
