// @vitest-environment happy-dom
import type { ChatMessage } from '@palimpsest/core/domain'
import { act, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { textMessage } from '../testing/samples.ts'
import type { ThreadPlace } from './thread-place.ts'
import { type ThreadAim, useOpenAt } from './use-open-at.ts'
import { usePlace } from './use-place.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const MESSAGES = ['a', 'b', 'c'].map((id) => textMessage(id, 'user', id))
const PLACE: ThreadPlace = { messageId: 'b', offset: 30 }

/** A scroller with its rows 100 pixels under each other; `shift` moves all of them, as heights that turn out otherwise do. */
function layOut() {
  const scroller = document.createElement('div')
  const layout = { shift: 0 }
  Object.assign(scroller, { getBoundingClientRect: () => new DOMRect(0, 0, 800, 600) })
  for (const [at, { id }] of MESSAGES.entries()) {
    const row = scroller.appendChild(document.createElement('div'))
    row.dataset['index'] = String(at)
    row.id = id
    Object.assign(row, {
      getBoundingClientRect: () => new DOMRect(0, at * 100 + layout.shift - scroller.scrollTop, 800, 100),
    })
  }
  return { scroller, layout }
}

function opening(place: ThreadPlace | undefined, messages: readonly ChatMessage[] = MESSAGES) {
  const { scroller, layout } = layOut()
  const scroll = { scrollToEnd: vi.fn(), scrollToIndex: vi.fn() }
  const release = vi.fn()
  const ref = { current: scroller }
  const hook = renderHook(
    (now: readonly ChatMessage[]) =>
      useOpenAt({ scroller: ref, messages: now, place, aim: undefined }, scroll, release),
    { initialProps: messages },
  )
  return { ...hook, scroller, layout, scroll, release }
}

const frames = (count: number) => act(() => vi.advanceTimersByTime(count * 16))

test('UI-7 without a place a thread opens at its end at once', () => {
  const { result, scroll, release } = opening(undefined)
  expect(scroll.scrollToEnd).toHaveBeenCalledOnce()
  expect(release).not.toHaveBeenCalled()
  expect(result.current).toBe(true)
})

test('UI-7 a place whose message is gone is the end', () => {
  const { result, scroll } = opening({ messageId: 'gone', offset: 5 })
  expect(scroll.scrollToEnd).toHaveBeenCalledOnce()
  expect(result.current).toBe(true)
})

test('UI-7 a thread opens at its place and does not follow the end; it is there once the layout is stable', () => {
  const { result, scroller, scroll, release } = opening(PLACE)
  expect(scroll.scrollToIndex).toHaveBeenCalledWith(1, { align: 'start' })
  expect(release).toHaveBeenCalledOnce()
  expect(result.current).toBe(false)
  frames(6)
  expect(scroller.scrollTop).toBe(130)
  expect(result.current).toBe(true)
})

test('UI-7 heights above that turn out otherwise leave the place where it was read', () => {
  const { scroller, layout } = opening(PLACE)
  frames(2)
  layout.shift = 250
  frames(8)
  expect(scroller.scrollTop).toBe(380)
})

test('UI-7 a reader who moves meanwhile is not held back', () => {
  const { result, scroller, layout } = opening(PLACE)
  frames(1)
  fireEvent.wheel(scroller)
  scroller.scrollTop = 10
  layout.shift = 50
  frames(8)
  expect(scroller.scrollTop).toBe(10)
  expect(result.current).toBe(true)
})

test('UI-7 a place that never comes to rest is given up after a third of a second', () => {
  const { result, layout } = opening(PLACE)
  for (let frame = 0; frame < 40 && !result.current; frame++) {
    layout.shift += 10
    frames(1)
  }
  expect(result.current).toBe(true)
})

test('UI-7 a thread opens once: what arrives later moves nothing', () => {
  const { rerender, scroll } = opening(undefined, [])
  expect(scroll.scrollToEnd).not.toHaveBeenCalled()
  rerender(MESSAGES)
  rerender([...MESSAGES, textMessage('d', 'assistant', 'd')])
  expect(scroll.scrollToEnd).toHaveBeenCalledOnce()
})

test('UI-7 the place is reported once scrolling has stopped; at the end it is null', () => {
  const { scroller } = layOut()
  const ref = { current: scroller }
  const onPlace = vi.fn()
  const hook = renderHook((following: boolean) => usePlace(ref, following, onPlace), { initialProps: false })
  for (const top of [20, 90, 130]) {
    scroller.scrollTop = top
    fireEvent.scroll(scroller)
    vi.advanceTimersByTime(50)
  }
  expect(onPlace).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(onPlace.mock.calls).toEqual([[PLACE]])
  hook.rerender(true)
  fireEvent.scroll(scroller)
  vi.advanceTimersByTime(200)
  expect(onPlace).toHaveBeenLastCalledWith(null)
  fireEvent.scroll(scroller)
  hook.unmount()
  vi.advanceTimersByTime(200)
  expect(onPlace).toHaveBeenCalledTimes(2)
})

function aiming() {
  const { scroller } = layOut()
  document.body.append(scroller)
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-index]')) row.tabIndex = -1
  const scroll = { scrollToEnd: vi.fn(), scrollToIndex: vi.fn() }
  const ref = { current: scroller }
  const hook = renderHook(
    (aim: ThreadAim | undefined) =>
      useOpenAt({ scroller: ref, messages: MESSAGES, place: undefined, aim }, scroll, () => undefined),
    { initialProps: undefined as ThreadAim | undefined },
  )
  const aimAt = (aim: ThreadAim) => {
    hook.rerender(aim)
    frames(8)
  }
  const focused = () => document.activeElement?.id
  return { scroller, aimAt, focused, [Symbol.dispose]: () => scroller.remove() }
}

test('UI-30 a thread goes to a message each time that it is pointed at, and focuses it', () => {
  using thread = aiming()
  thread.aimAt({ messageId: 'b', request: 1 })
  expect([thread.scroller.scrollTop, thread.focused()]).toEqual([100, 'b'])
  thread.scroller.scrollTop = 20
  thread.aimAt({ messageId: 'b', request: 1 })
  expect(thread.scroller.scrollTop).toBe(20)
  thread.aimAt({ messageId: 'b', request: 2 })
  expect(thread.scroller.scrollTop).toBe(100)
})

test('UI-30 the focus stays where one goes from message to message', () => {
  using thread = aiming()
  const bar = document.body.appendChild(document.createElement('div'))
  bar.dataset['keepsFocus'] = ''
  const field = bar.appendChild(document.createElement('input'))
  field.focus()
  thread.aimAt({ messageId: 'c', request: 1 })
  expect([thread.scroller.scrollTop, document.activeElement]).toEqual([200, field])
  bar.remove()
})
