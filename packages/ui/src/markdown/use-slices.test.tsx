// @vitest-environment happy-dom
import { act, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { PlainText } from './plain-text.tsx'
import { useSlices } from './use-slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const task = () => act(() => vi.advanceTimersToNextTimer())

test('UI-8 a text of few pieces is drawn at once, without another task', () => {
  const hook = renderHook(() => useSlices(60))
  expect(hook.result.current).toBe(60)
  expect(vi.getTimerCount()).toBe(0)
  hook.unmount()
})

test('UI-8 a text of many pieces is drawn over several tasks, to its last piece', () => {
  const hook = renderHook(() => useSlices(105))
  const drawn = [hook.result.current]
  while (vi.getTimerCount() > 0) {
    task()
    drawn.push(hook.result.current)
  }
  expect(drawn).toEqual([60, 80, 100, 105])
  hook.unmount()
})

test('UI-8 a text that grows by pieces draws each new one at once where there was time', () => {
  const hook = renderHook(({ count }) => useSlices(count), { initialProps: { count: 1 } })
  for (const count of [2, 10, 60]) {
    hook.rerender({ count })
    expect(hook.result.current).toBe(count)
  }
  hook.rerender({ count: 61 })
  expect(hook.result.current).toBe(60)
  task()
  expect(hook.result.current).toBe(61)
  hook.unmount()
})

test('UI-8 no more is drawn of a text than it has, and no task is left of one that is gone', () => {
  const hook = renderHook(({ count }) => useSlices(count), { initialProps: { count: 500 } })
  task()
  hook.rerender({ count: 3 })
  expect(hook.result.current).toBe(3)
  hook.rerender({ count: 500 })
  hook.unmount()
  expect(vi.getTimerCount()).toBe(0)
})

const shownOf = (page: ReturnType<typeof show>) => page.container.querySelector('[dir="auto"]')?.textContent

test('SX-11 a text that is not formatted is drawn a part at a time, with its reason', () => {
  const text = 'x'.repeat(120_001)
  using page = show(<PlainText text={text} note="Too long." />)
  expect(page.getByText('Too long.')).toBeTruthy()
  expect(shownOf(page)).toBe(`${'x'.repeat(20_000)}…`)
  fireEvent.click(page.getByRole('button', { name: 'Show more, 100 kB left' }))
  expect(shownOf(page)).toHaveLength(120_001)
  expect(shownOf(page)?.endsWith('…')).toBe(true)
  fireEvent.click(page.getByRole('button', { name: 'Show more, 1 B left' }))
  expect(shownOf(page)).toBe(text)
  expect(page.queryByRole('button')).toBeNull()
})

test('SX-11 a text of 20,000 characters is drawn whole, and nothing of it is formatted', () => {
  const text = `**bold** <b>x</b> ${'x'.repeat(19_982)}`
  using page = show(<PlainText text={text} note="Too deep." />)
  expect(shownOf(page)).toBe(text)
  expect(page.queryByRole('button')).toBeNull()
  expect(page.container.querySelector('b, strong')).toBeNull()
})

test('SX-11 what a reader opened of a text stays open while the text grows', () => {
  using page = show(<PlainText text={'x'.repeat(30_000)} note="Too long." />)
  fireEvent.click(page.getByRole('button'))
  page.rerender(<PlainText text={'x'.repeat(60_000)} note="Too long." />)
  expect(shownOf(page)).toBe('x'.repeat(60_000))
})
