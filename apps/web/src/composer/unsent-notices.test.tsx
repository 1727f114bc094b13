// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Outgoing, OutgoingState } from '../session/outgoing.ts'
import { userMessage } from '../testing/session-world.ts'
import { UnsentNotices } from './unsent-notices.tsx'

const refused: OutgoingState = { type: 'failed', failure: 'Too long.', retryable: false }
const lost: OutgoingState = { type: 'failed', failure: 'No connection.', retryable: true }

const outgoing = (id: string, text: string, facts: Partial<Outgoing> = {}): Outgoing => ({
  message: userMessage(id, text),
  model: null,
  queued: false,
  steer: false,
  replaces: null,
  createsSession: false,
  state: refused,
  ...facts,
})

function show(list: readonly Outgoing[], to?: string) {
  const [onRetry, onDiscard] = [vi.fn<(id: string) => void>(), vi.fn<(id: string) => void>()]
  const named = to === undefined ? {} : { to }
  const page = render(
    <UnsentNotices sessionId="ses_1" outgoing={list} onRetry={onRetry} onDiscard={onDiscard} {...named} />,
  )
  return { onRetry, onDiscard, text: page.container.textContent }
}

afterEach(cleanup)

test('UI-11 a message that is on its way or has arrived has no notice', () => {
  const { text } = show([
    outgoing('a', 'One', { state: { type: 'sending' } }),
    outgoing('b', 'Two', { state: { type: 'sent' } }),
  ])
  expect(text).toBe('')
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('UI-11 one message that was refused says why; its words are in the thread', () => {
  const { text } = show([outgoing('a', 'The words')])
  expect(text).toContain('Not sent.')
  expect(text).toContain('Too long.')
  expect(text).not.toContain('The words')
})

test('UI-11 a message that met no connection says that it goes out by itself, a refused one does not', () => {
  expect(show([outgoing('a', 'One', { state: lost })]).text).toContain(
    'No connection. It is sent as soon as the server answers.',
  )
  cleanup()
  expect(show([outgoing('a', 'One')]).text).not.toContain('as soon as')
})

test('UI-11 several messages that were not sent are distinguished by their words', () => {
  const { text } = show([outgoing('a', 'First words'), outgoing('b', 'Other words', { state: lost })])
  expect(text).toContain('Not sent: “First words”.')
  expect(text).toContain('Not sent: “Other words”.')
})

test('UI-11 one that failed among others that are on their way needs no words', () => {
  const { text } = show([
    outgoing('a', 'First words'),
    outgoing('b', 'Other words', { state: { type: 'sending' } }),
  ])
  expect(text).toContain('Not sent.')
  expect(text).not.toContain('words”')
})

test('UI-11 what was to wait in the queue is shown whole, line by line', () => {
  const words = `First line\n\n${'long '.repeat(200)}\nlast line`
  const { text } = show([outgoing('q', words, { queued: true })])
  expect(text).toContain(words)
})

test('UI-11 of two queued messages each is shown once, with its own notice', () => {
  const { text } = show([
    outgoing('a', 'To wait', { queued: true }),
    outgoing('b', 'To wait too', { queued: true, state: lost }),
  ])
  expect(text?.split('To wait')).toHaveLength(3)
  expect(screen.getAllByRole('button', { name: 'Send again' })).toHaveLength(2)
})

test('UI-11 a queued message of files alone is named by them', () => {
  const url = 'data:,'
  const message = {
    ...userMessage('q'),
    parts: [
      { type: 'file', mediaType: 'image/png', filename: 'a.png', url } as const,
      { type: 'file', mediaType: 'application/pdf', url } as const,
    ],
  }
  expect(show([outgoing('q', '', { queued: true, message })]).text).toContain('a.png, application/pdf')
})

test('UI-34 a message that was not sent to a side names the side', () => {
  expect(show([outgoing('a', 'Words')], 'Another way').text).toContain('Not sent to “Another way”.')
})

test('UI-11 each notice retries and discards its own message', () => {
  const { onRetry, onDiscard } = show([outgoing('a', 'One'), outgoing('b', 'Two'), outgoing('c', 'Three')])
  fireEvent.click(screen.getAllByRole('button', { name: 'Send again' })[1] ?? document.body)
  fireEvent.click(screen.getAllByRole('button', { name: 'Discard' })[2] ?? document.body)
  expect(onRetry.mock.calls).toEqual([['b']])
  expect(onDiscard.mock.calls).toEqual([['c']])
})

test('UI-11 a message whose words are markup is shown as it was written', () => {
  const { text } = show([outgoing('q', '<script>alert(1)</script>', { queued: true })])
  expect(text).toContain('<script>alert(1)</script>')
  expect(document.querySelector('script')).toBeNull()
})
