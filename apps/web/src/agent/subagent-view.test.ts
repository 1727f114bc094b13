import {
  ABORTED_BY_PARENT,
  type ChatMessage,
  type SessionStatus,
  SUBAGENT_STOPPED,
} from '@palimpsest/core/domain'
import type { ToolPart } from '@palimpsest/ui'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activityOf, failureOf, isOn, phaseOf, stepsOf, taskCallOf, taskReply } from './subagent-view.ts'

const base = {
  type: 'tool-task',
  toolCallId: 'c1',
  input: { subagent_type: 'explore', prompt: 'Look' },
} as const
const facts = { session_id: 'ses_1', agent: 'explore' }
const IDLE: SessionStatus = { state: 'idle' }
const BUSY: SessionStatus = { state: 'busy', runId: 'r', startedAt: 0 }
const WAITING: SessionStatus = { ...BUSY, state: 'waiting', waitingOn: 'approval' }

function reply(parts: ChatMessage['parts'], metadata: Partial<ChatMessage['metadata']> = {}): ChatMessage {
  return { id: 'm1', role: 'assistant', parts, metadata: { schemaVersion: 1, createdAt: 0, ...metadata } }
}
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = (id: string): ToolPart => ({
  type: 'tool-read',
  toolCallId: id,
  state: 'input-available',
  input: {},
})
const user: ChatMessage = { id: 'u', role: 'user', parts: [] }

const working: ToolPart = { ...base, state: 'input-available', toolMetadata: facts }
const done: ToolPart = {
  ...base,
  state: 'output-available',
  output: { text: 'x', data: { sessionId: 'ses_1', agent: 'explore' }, metadata: { duration_ms: 12 } },
}
const background: ToolPart = {
  ...base,
  state: 'output-available',
  output: {
    text: 'x',
    data: { sessionId: 'ses_1', agent: 'explore', background: true },
    metadata: { duration_ms: 0 },
  },
}
const failed = (errorText: string): ToolPart => ({
  ...base,
  state: 'output-error',
  errorText,
  toolMetadata: { ...facts, duration_ms: 7 },
})

test('SA-5 a call names its subagent in every state, how long it took, and why it has no result', () => {
  const known = { agent: 'explore', background: false, error: null }
  expect(taskCallOf(working)).toEqual({ ...known, durationMs: null })
  expect(taskCallOf(done)).toEqual({ ...known, durationMs: 12 })
  expect(taskCallOf(failed('No'))).toEqual({ ...known, durationMs: 7, error: 'No' })
  expect(taskCallOf(background)).toEqual({ ...known, background: true, durationMs: null })
  expect(taskCallOf({ ...base, input: 'odd', state: 'output-available', output: 'odd' }).agent).toBe('')
})

test.for([
  [working, 'running', BUSY, null, 'working'],
  [working, 'running', IDLE, null, 'working'],
  [working, 'running', WAITING, null, 'waiting'],
  [working, 'stopped', IDLE, null, 'stopped'],
  [done, 'done', IDLE, null, 'done'],
  // What a person says in its chat later is no work of the call.
  [done, 'done', BUSY, null, 'done'],
  [failed('It failed'), 'failed', IDLE, null, 'failed'],
  [failed(SUBAGENT_STOPPED), 'failed', IDLE, null, 'stopped'],
  [failed(ABORTED_BY_PARENT), 'failed', IDLE, null, 'stopped'],
  [background, 'done', BUSY, null, 'working'],
  [background, 'done', WAITING, null, 'waiting'],
  [background, 'done', IDLE, null, null],
  [background, 'done', IDLE, 'stop', 'done'],
  [background, 'done', IDLE, 'max-steps', 'done'],
  [background, 'done', IDLE, 'aborted', 'stopped'],
  [background, 'done', IDLE, 'error', 'failed'],
  [background, 'done', IDLE, 'interrupted', 'failed'],
] as const)(
  'SA-5 the subagent of a call is shown as it is: row %#',
  ([part, state, status, finishReason, phase]) => {
    const written = finishReason === null ? null : reply([], { finishReason })
    const shown = phaseOf({ call: taskCallOf(part), state, status, reply: written })
    expect(shown).toBe(phase)
    expect(isOn(shown)).toBe(phase === 'working' || phase === 'waiting')
  },
)

test('SA-5 a card shows the reply to its prompt, not to what a person said in that chat later', () => {
  const first = { ...reply([text('First')]), id: 'a' }
  const later = { ...reply([text('Later')]), id: 'b' }
  expect(taskReply([user, first, { ...user, id: 'u2' }, later])).toBe(first)
  expect(taskReply([user, first])).toBe(first)
  expect(taskReply([user])).toBeNull()
  // A compaction has hidden the prompt.
  expect(taskReply([first, later])).toBe(later)
  expect(taskReply([])).toBeNull()
})

test.each([
  ['The subagent failed: Overloaded.', {}, { type: 'failed', reason: 'Overloaded.' }],
  ['The subagent failed: the reason is not known.', {}, { type: 'failed', reason: null }],
  ['The subagent could not be started: No ink.', {}, { type: 'not-started', reason: 'No ink.' }],
  ['aborted by host restart; the subagent may have done a part of its work', {}, { type: 'interrupted' }],
  ['Anything else', {}, { type: 'failed', reason: 'Anything else' }],
  [null, { finishReason: 'interrupted' }, { type: 'interrupted' }],
  [null, { finishReason: 'error' }, { type: 'failed', reason: null }],
  [
    null,
    { finishReason: 'error', error: { code: 'PROVIDER_ERROR', message: 'Overloaded.' } },
    { type: 'failed', reason: 'Overloaded.' },
  ],
] as const)(
  'SA-5 UI-25 the error of a call, in words for the model, is recognised: %j',
  (error, facts, failure) => {
    const subagent = { call: { ...taskCallOf(working), error }, state: 'failed', status: IDLE } as const
    expect(failureOf({ ...subagent, reply: reply([], facts) })).toEqual(failure)
  },
)

test('SA-5 what a subagent does is its last call, the last line of its text, or that it thinks', () => {
  expect(activityOf(null)).toEqual({ type: 'starting' })
  expect(activityOf(reply([{ type: 'step-start' }]))).toEqual({ type: 'starting' })
  expect(activityOf(reply([text('One\n\nTwo\n'), text(' ')]))).toEqual({ type: 'text', line: 'Two' })
  expect(activityOf(reply([text('One'), { type: 'reasoning', text: '' }]))).toEqual({ type: 'thinking' })
  const part = call('c')
  expect(activityOf(reply([text('One'), part, { type: 'step-start' }]))).toEqual({ type: 'call', part })
})

test('SA-5 a card is bounded: at most six calls, 1,200 characters of text and 200 of its line', () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 3_000 })
  fc.assert(
    fc.property(fc.array(words, { maxLength: 3 }), fc.nat(20), fc.boolean(), (texts, count, growing) => {
      const calls = Array.from({ length: count }, (_, index) => call(`c${index}`))
      const steps = stepsOf(reply([...calls, ...texts.map(text)]), growing)
      expect(steps.calls.length + steps.earlier).toBe(count)
      expect(steps.calls.length).toBeLessThanOrEqual(6)
      expect(steps.text.length).toBeLessThanOrEqual(1_202)
      const activity = activityOf(reply(texts.map(text)))
      if (activity.type === 'text') expect(activity.line.length).toBeLessThanOrEqual(200)
    }),
  )
  const long = `${'a'.repeat(1_500)}\n\n${'b'.repeat(900)}`
  expect(stepsOf(reply([text(long)]), true).text).toBe(`… ${'b'.repeat(900)}`)
  expect(stepsOf(reply([text(long)]), false).text).toMatch(/^a{1200} …$/)
})
