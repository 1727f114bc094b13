// @vitest-environment happy-dom
import type { ChatMessage, MessageMetadata, SessionStatus } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { sampleMessage, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { OutcomeAnnouncer } from './outcome-announcer.tsx'

const prompt = textMessage('q', 'user', 'Words')
const idle: SessionStatus = { state: 'idle' }
const busy: SessionStatus = { state: 'busy', runId: 'run', startedAt: 0 }
const failed: SessionStatus = { state: 'error', runId: 'run', code: 'PROVIDER_ERROR', message: 'Overloaded.' }

const reply = (runId: string, facts: Partial<MessageMetadata>) =>
  sampleMessage(`r-${runId}`, 'assistant', [{ type: 'text', text: 'Half' }], { runId, ...facts })
const stopped = (runId: string) => reply(runId, { finishReason: 'aborted' })

/** Renders one after the other, and returns the announcement of each. */
function announced(...turns: readonly (readonly [ChatMessage | undefined, SessionStatus])[]) {
  const element = (message: ChatMessage | undefined, status: SessionStatus) => (
    <OutcomeAnnouncer message={message} status={status} />
  )
  using page = show(element(undefined, idle))
  return turns.map(([message, status]) => {
    page.rerender(element(message, status))
    return page.getByRole('status').textContent
  })
}

test('UI-23 a run that did not end well is announced, one that did is not', () => {
  expect(announced([prompt, busy], [prompt, failed])).toEqual(['', 'Outcome: The reply failed. Overloaded.'])
  expect(announced([prompt, busy], [stopped('run'), idle])).toEqual(['', 'Outcome: Stopped.'])
  const error = { message: 'No ink.', code: 'PROVIDER_ERROR' } as const
  expect(announced([prompt, busy], [reply('run', { finishReason: 'error', error }), idle])).toEqual([
    '',
    'Outcome: The reply failed. No ink.',
  ])
  expect(announced([prompt, busy], [reply('run', { finishReason: 'stop' }), idle])).toEqual(['', ''])
})

test('UI-23 each retry of a provider is announced', () => {
  const retrying = { ...busy, state: 'retrying', message: 'Too many at once.', retryAt: 0 } as const
  expect(
    announced([prompt, { ...retrying, attempt: 1 }], [prompt, { ...retrying, attempt: 2 }], [prompt, busy]),
  ).toEqual(['Attempt 1 failed. Too many at once.', 'Attempt 2 failed. Too many at once.', ''])
})

test('UI-16 UI-23 that a run waits for the person is announced, and what for', () => {
  const waiting = { ...busy, state: 'waiting' } as const
  expect(
    announced([prompt, { ...waiting, waitingOn: 'answer' }], [prompt, { ...waiting, waitingOn: 'approval' }]),
  ).toEqual(['The run waits for your answer.', 'The run waits for your approval.'])
})

test('UI-23 a run that ended before the page opened is not announced, nor an older reply that becomes the newest', () => {
  expect(announced([stopped('before'), idle], [prompt, failed])).toEqual(['', ''])
  expect(announced([prompt, busy], [stopped('run'), idle], [stopped('before'), idle])).toEqual([
    '',
    'Outcome: Stopped.',
    '',
  ])
  expect(announced([prompt, busy], [reply('run', {}), idle])).toEqual(['', ''])
})
