import type { FinishReason } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { sampleMessage } from '../testing/samples.ts'
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

test('UI-11 a failure carries the words of whoever refused', () => {
  const error = { code: 'PROVIDER_ERROR', message: 'Overloaded.' } as const
  const message = sampleMessage('m', 'assistant', [], { finishReason: 'error', error })
  expect(noticeFor(message)).toMatchObject({ tone: 'error', detail: 'Overloaded.' })
})
