// @vitest-environment happy-dom
import type { ChatMessage, SessionStatus } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { sampleMessage, textMessage, toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { estimateHeight } from './estimate-height.ts'
import { placeOf, standAt } from './thread-place.ts'
import { ThreadRow } from './thread-row.tsx'
import { ThreadTail } from './thread-tail.tsx'
import { useNewCount } from './use-new-count.ts'

const prompt = textMessage('q', 'user', 'Words')
const reply = textMessage('r', 'assistant', 'Words')
const busy: SessionStatus = { state: 'busy', runId: 'run', startedAt: 0 }
const failed: SessionStatus = { state: 'error', runId: 'run', code: 'PROVIDER_ERROR', message: 'Overloaded.' }

function tail(message: ChatMessage, status: SessionStatus, streamingId: string | null = null) {
  const actions = { onResend: vi.fn(), onStop: vi.fn() }
  const page = show(
    <ThreadTail message={message} status={status} streamingId={streamingId} actions={actions} />,
  )
  return Object.assign(page, { actions })
}

test('UI-11 a prompt is thought about until its reply begins', () => {
  using waiting = tail(prompt, busy)
  expect(waiting.container.textContent).toBe('Thinking')
  waiting.rerender(<ThreadTail message={prompt} status={busy} streamingId="r" actions={{}} />)
  expect(waiting.container.textContent).toBe('')
})

test('UI-11 a prompt whose run failed says why and is tried again', () => {
  using page = tail(prompt, failed)
  expect(page.container.textContent).toContain('The reply failed. Overloaded.')
  fireEvent.click(page.getByRole('button', { name: 'Try again' }))
  expect(page.actions.onResend.mock.calls).toEqual([['q']])
})

test('UI-11 under a reply nothing waits, whatever the state', () => {
  for (const status of [busy, failed, { state: 'idle' } as const]) {
    using page = tail(reply, status)
    expect(page.container.textContent).toBe('')
  }
})

test('UI-11 a run that is retried shows its notice under a reply as well', () => {
  const retrying: SessionStatus = {
    state: 'retrying',
    runId: 'run',
    startedAt: 0,
    attempt: 1,
    message: 'Slow down.',
    retryAt: 0,
  }
  using page = tail(reply, retrying)
  expect(page.container.textContent).toContain('Attempt 1 failed. Slow down.')
  fireEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(page.actions.onStop).toHaveBeenCalledOnce()
})

function Counter({ messages, following }: { messages: ChatMessage[]; following: boolean }) {
  return <output>{useNewCount(messages, following)}</output>
}

test('UI-7 what arrives is counted from where the reader let go, and older pages are no news', () => {
  const list = (...ids: string[]) => ids.map((id) => textMessage(id, 'user', id))
  using page = show(<Counter messages={list('a', 'b')} following />)
  const count = (messages: ChatMessage[], following: boolean) => {
    page.rerender(<Counter messages={messages} following={following} />)
    return page.getByRole('status').textContent
  }
  expect(count(list('a', 'b', 'c'), true)).toBe('0')
  expect(count(list('a', 'b', 'c', 'd', 'e'), false)).toBe('2')
  expect(count(list('x', 'y', 'a', 'b', 'c', 'd', 'e'), false)).toBe('2')
  expect(count(list('x', 'y', 'a', 'b', 'c', 'd', 'e'), true)).toBe('0')
  expect(count(list('x', 'y', 'a', 'b', 'c', 'd', 'e', 'f'), false)).toBe('1')
})

test('UI-7 when the message that was read last goes away, nothing is called new', () => {
  const list = (...ids: string[]) => ids.map((id) => textMessage(id, 'user', id))
  using page = show(<Counter messages={list('a', 'b')} following />)
  page.rerender(<Counter messages={list('a')} following={false} />)
  expect(page.getByRole('status').textContent).toBe('0')
})

/** A scroller of which each row has a place on the page. */
function scrolled(rows: [id: string, top: number, height: number][]) {
  const scroller = document.createElement('div')
  scroller.getBoundingClientRect = () => new DOMRect(0, 100, 500, 400)
  for (const [id, top, height] of rows) {
    const row = document.createElement('p')
    row.id = id
    row.dataset['index'] = '0'
    row.getBoundingClientRect = () => new DOMRect(0, top - scroller.scrollTop, 500, height)
    scroller.append(row)
  }
  Object.defineProperty(scroller, 'scrollTop', { value: 0, writable: true })
  return scroller
}

test('UI-7 a place is the message at the upper edge, with what of it lies above', () => {
  expect(
    placeOf(
      scrolled([
        ['a', 0, 90],
        ['b', 90, 60],
        ['c', 150, 60],
      ]),
    ),
  ).toEqual({ messageId: 'b', offset: 10 })
  expect(placeOf(scrolled([]))).toBeNull()
})

test('UI-7 a thread opens at its reading place, and reports when it is there', () => {
  const scroller = scrolled([
    ['a', 100, 200],
    ['b', 300, 200],
  ])
  const place = { messageId: 'b', offset: 30 }
  expect(standAt(scroller, place)).toBe(false)
  expect(standAt(scroller, place)).toBe(true)
  expect(placeOf(scroller)).toEqual(place)
  expect(standAt(scroller, { messageId: 'gone', offset: 0 })).toBe(false)
})

test('UI-8 a height that is guessed is always one, and more words never make it less', () => {
  const text = fc.string({ maxLength: 2_000 })
  fc.assert(
    fc.property(text, text, fc.constantFrom<ChatMessage['role']>('user', 'assistant'), (some, more, role) => {
      const less = estimateHeight(textMessage('m', role, some))
      expect(less).toBeGreaterThan(0)
      expect(estimateHeight(textMessage('m', role, some + more))).toBeGreaterThanOrEqual(less)
    }),
  )
  expect(estimateHeight(undefined)).toBeGreaterThan(0)
  const calls = sampleMessage('m', 'assistant', [toolCall('read', {}), { type: 'step-start' }])
  expect(estimateHeight(calls)).toBeGreaterThan(estimateHeight(sampleMessage('m', 'assistant', [])))
})

const row = (props: Partial<Parameters<typeof ThreadRow>[0]> = {}) => (
  <ThreadRow
    message={prompt}
    streaming={false}
    last={false}
    anchored={false}
    models={[]}
    actions={{}}
    extras={undefined}
    {...props}
  />
)

test('UI-10 extras of the page are around a message, or replace it', () => {
  const extras = {
    before: () => 'Before',
    after: () => 'After',
    user: () => <button type="button">Edit</button>,
  }
  using page = show(row({ extras }))
  expect(page.container.textContent).toMatch(/^Before.*Words.*After$/)
  expect(page.getByRole('button', { name: 'Edit' })).toBeTruthy()
  act(() => page.rerender(row({ extras: { ...extras, instead: () => 'Editor' } })))
  expect(page.container.textContent).toBe('BeforeEditorAfter')
})

test('UI-10 a message that is hidden is shown as superseded, the one that was opened at as anchored', () => {
  using page = show(row({ anchored: true }))
  expect(page.container.querySelector('.anchored')).not.toBeNull()
  expect(page.container.querySelector('.superseded')).toBeNull()
  page.rerender(row({ message: sampleMessage('q', 'user', prompt.parts, { hiddenBy: 'op_1' }) }))
  expect(page.container.querySelector('.superseded')).not.toBeNull()
})
