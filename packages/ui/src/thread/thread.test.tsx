// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleMessage, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { Thread, type ThreadProps } from './thread.tsx'

/** Height of the window on the thread and of each row, for a page that lays nothing out. */
const VIEW = 600
const ROW = 100

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(VIEW)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const turns = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    textMessage(`m${from + at}`, (from + at) % 2 ? 'assistant' : 'user', 'Words'),
  )

const thread = (props: Partial<ThreadProps> = {}) => (
  <Thread
    messages={turns(4)}
    status={{ state: 'idle' }}
    streamingId={null}
    models={[]}
    actions={{}}
    {...props}
  />
)

/** Gives the log the metrics of a page with layout, and fires its scroll event. */
function scrollTo(log: HTMLElement, top: number, height: number) {
  Object.defineProperties(log, {
    scrollHeight: { configurable: true, value: height },
    clientHeight: { configurable: true, value: VIEW },
    scrollTop: { configurable: true, writable: true, value: top },
  })
  fireEvent.scroll(log)
}

test('UI-8 of 2,000 messages only those near the window are drawn', () => {
  using page = show(thread({ messages: turns(2_000) }))
  const drawn = page.container.querySelectorAll('[data-index]').length
  expect(drawn).toBeGreaterThan(3)
  expect(drawn).toBeLessThan(40)
})

test('UI-7 moving up lets go of the end and offers the way back', () => {
  using page = show(thread())
  const log = page.getByRole('log')
  act(() => scrollTo(log, 1_400, 2_000))
  expect(page.queryByRole('button', { name: 'Jump to latest' })).toBeNull()
  act(() => scrollTo(log, 1_380, 2_000))
  expect(page.getByRole('button', { name: 'Jump to latest' })).toBeTruthy()
})

test('UI-7 the way back counts what has arrived since, and following it returns to the end', () => {
  using page = show(thread())
  const log = page.getByRole('log')
  act(() => scrollTo(log, 1_400, 2_000))
  act(() => scrollTo(log, 900, 2_000))
  page.rerender(thread({ messages: [...turns(4), ...turns(1, 5), ...turns(1, 7)] }))
  fireEvent.click(page.getByRole('button', { name: '2 new messages' }))
  expect(page.queryByRole('button', { name: /new message/ })).toBeNull()
})

test('UI-7 a message of the reader’s own leads to the end', () => {
  using page = show(thread())
  const log = page.getByRole('log')
  act(() => scrollTo(log, 1_400, 2_000))
  act(() => scrollTo(log, 900, 2_000))
  page.rerender(thread({ messages: turns(5) }))
  expect(page.queryByRole('button', { name: /latest|new message/ })).toBeNull()
})

test('UI-8 older messages are asked for near the top, once at a time', () => {
  const onLoadOlder = vi.fn()
  using page = show(thread({ hasOlder: true, onLoadOlder }))
  expect(onLoadOlder).toHaveBeenCalledTimes(1)
  page.rerender(thread({ hasOlder: true, loadingOlder: true, onLoadOlder }))
  expect(onLoadOlder).toHaveBeenCalledTimes(1)
  expect(page.getByText('Loading earlier messages')).toBeTruthy()
})

test('UI-8 older messages are asked for where none of those that are loaded is shown', () => {
  const onLoadOlder = vi.fn()
  using page = show(thread({ messages: [], hasOlder: true, onLoadOlder }))
  expect(onLoadOlder).toHaveBeenCalledTimes(1)
  page.rerender(thread({ messages: [], hasOlder: true, loadingOlder: true, onLoadOlder }))
  page.rerender(thread({ messages: [], hasOlder: true, onLoadOlder }))
  expect(onLoadOlder).toHaveBeenCalledTimes(2)
  page.rerender(thread({ messages: [], onLoadOlder }))
  expect(onLoadOlder).toHaveBeenCalledTimes(2)
})

test('UI-23 the thread is a log that is busy while a reply is written and speaks through another region', () => {
  vi.useFakeTimers()
  const reply = sampleMessage('r', 'assistant', [{ type: 'text', text: 'One. Two', state: 'streaming' }])
  const status = { state: 'busy', runId: 'run', startedAt: 0 } as const
  using page = show(thread({ messages: [...turns(1), reply], status, streamingId: 'r' }))
  const log = page.getByRole('log')
  expect(log.getAttribute('aria-busy')).toBe('true')
  expect(log.getAttribute('aria-live')).toBe('off')
  const announced = () => page.getAllByRole('status').at(-1)?.textContent
  expect(announced()).toBe('The reply has begun.')
  act(() => vi.advanceTimersByTime(3_000))
  expect(announced()).toBe('One.')
  page.rerender(thread({ messages: [...turns(1), reply] }))
  expect(announced()).toBe('Two The reply has ended.')
})

test('UI-11 a question without a reply offers to be sent again', () => {
  const onResend = vi.fn()
  using page = show(thread({ messages: turns(1), actions: { onResend } }))
  fireEvent.click(page.getByRole('button', { name: 'Get a reply' }))
  expect(onResend.mock.calls).toEqual([['m0']])
})

test('UI-11 a question that has not been sent is not called unanswered', () => {
  using page = show(thread({ messages: turns(1), unsent: true, actions: { onResend: vi.fn() } }))
  expect(page.queryByText('No reply yet.')).toBeNull()
})
