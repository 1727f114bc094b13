import type { FinishReason } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { createFormat } from '../format/format.ts'
import { en } from '../messages/en.ts'
import { sampleMessage } from '../testing/samples.ts'
import { budgetUseText } from './budget-use.ts'
import { noticeFor } from './notice.ts'

const reply = (finishReason: FinishReason, text = 'Half a') =>
  sampleMessage('m', 'assistant', [{ type: 'text', text }], { finishReason })

test.each([
  ['aborted', 'aborted', 'continue'],
  ['interrupted', 'interrupted', 'continue'],
  ['length', 'length', 'continue'],
  ['max-steps', 'maxSteps', 'continue'],
  ['error', 'failed', 'resend'],
  ['content-filter', 'contentFilter', 'resend'],
  ['doom-loop', 'doomLoop', 'resend'],
] as const)('UI-11 a reply that ended by %s says %s and offers %s', (reason, text, action) => {
  expect(noticeFor(reply(reason))).toMatchObject({ text, action })
})

test.each(['stop', 'tool-calls', 'other'] as const)(
  'UI-11 a reply that ended by %s says nothing',
  (reason) => {
    expect(noticeFor(reply(reason))).toBeNull()
  },
)

test('UI-11 a reply that was stopped or cut before its first word is sent again', () => {
  expect(noticeFor(reply('aborted', ''))).toMatchObject({ text: 'abortedEmpty', action: 'resend' })
  expect(noticeFor(reply('interrupted', ''))).toMatchObject({ action: 'resend' })
})

test('UI-11 a reply without a word says so', () => {
  expect(noticeFor(reply('stop', ''))).toMatchObject({ text: 'empty', action: 'resend' })
})

test('UI-11 a failure shows the message of the provider', () => {
  const error = { code: 'PROVIDER_ERROR', message: 'Overloaded.' } as const
  const message = sampleMessage('m', 'assistant', [], { finishReason: 'error', error })
  expect(noticeFor(message)).toMatchObject({ tone: 'error', detail: 'Overloaded.' })
})

test('UI-11 a reply of space alone is one without a word', () => {
  expect(noticeFor(reply('stop', ' \n'))).toMatchObject({ text: 'empty', action: 'resend' })
})

test('UI-11 a reply that did something is not called empty', () => {
  const call = {
    type: 'dynamic-tool',
    toolName: 'read',
    toolCallId: 'c',
    state: 'input-available',
    input: {},
  } as const
  const done = (finishReason: FinishReason) =>
    noticeFor(sampleMessage('m', 'assistant', [{ type: 'step-start' }, call], { finishReason }))
  expect(done('stop')).toBeNull()
  expect(done('aborted')).toMatchObject({ action: 'continue' })
  expect(done('interrupted')).toMatchObject({ action: 'continue' })
})

test('UI-11 an error is shown whatever the finish reason is', () => {
  const error = { code: 'PROVIDER_ERROR', message: 'Overloaded.' } as const
  for (const metadata of [{ error }, { error, finishReason: 'other' as const }]) {
    const message = sampleMessage('m', 'assistant', [{ type: 'text', text: 'Half' }], metadata)
    expect(noticeFor(message)).toMatchObject({ tone: 'error', detail: 'Overloaded.', action: 'resend' })
  }
})

test('UI-11 a budget that is used up says so', () => {
  expect(noticeFor(reply('budget'))).toMatchObject({ tone: 'error', text: 'budget' })
})

test('UI-11 a reply that a budget ended says which limit, and how much of it is used', () => {
  const budget = { scope: 'session', limit: 'max_duration', max: 60_000, used: 90_000 } as const
  const message = sampleMessage('m', 'assistant', [], { finishReason: 'budget', budget })
  expect(noticeFor(message)).toMatchObject({ text: 'budget', budget, action: 'raise' })
  const format = createFormat('en-US')
  expect(budgetUseText(budget, format, en)).toBe('1\u00A0min 30\u00A0s of 1\u00A0min of work in this chat.')
  const tokens = { scope: 'run', limit: 'max_tokens', max: 2_000, used: 2_500 } as const
  expect(budgetUseText(tokens, format, en)).toBe('2,500 of 2,000 tokens in this reply.')
  const cost = { scope: 'run', limit: 'max_cost', max: 2, used: 2.125 } as const
  expect(budgetUseText(cost, format, en)).toBe('$2.13 of $2.00 in this reply.')
})
