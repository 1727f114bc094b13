// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { whenLoaded } from '../lazy/lazy-module.ts'
import { show } from '../testing/show.tsx'
import type { Toast } from './toast-layer.tsx'
import { ToastRegion, toastLayer } from './toast-region.tsx'

beforeAll(async () => void (await whenLoaded(toastLayer)))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

function open(toasts: Toast[]) {
  const onDismiss = vi.fn()
  const page = show(<ToastRegion toasts={toasts} onDismiss={onDismiss} />)
  const region = page.getByRole('region', { name: 'Notifications' })
  const more = (list: Toast[]) => page.rerender(<ToastRegion toasts={list} onDismiss={onDismiss} />)
  return Object.assign(page, { onDismiss, region, more })
}

const archived = () => ({ id: 't', message: 'Archived', action: { label: 'Undo', onAction: vi.fn() } })

test('UI-4 a toast leaves by itself after six seconds, but not while it is pointed at', async () => {
  using page = open([archived()])
  pass(5_000)
  fireEvent.mouseEnter(page.getByText('Archived'))
  pass(60_000)
  expect(page.onDismiss).not.toHaveBeenCalled()
  fireEvent.mouseLeave(page.region)
  pass(999)
  expect(page.onDismiss).not.toHaveBeenCalled()
  pass(1)
  expect(page.onDismiss.mock.calls).toEqual([['t']])
  // Base UI removes it once the browser has reported the end of its animation.
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(page.queryByText('Archived')).toBeNull()
})

test('UI-4 a toast stays while the focus is in it, wherever the pointer goes', () => {
  using page = open([archived()])
  fireEvent.mouseEnter(page.getByText('Archived'))
  act(() => page.getByRole('button', { name: 'Undo' }).focus())
  fireEvent.mouseLeave(page.region)
  pass(60_000)
  expect(page.onDismiss).not.toHaveBeenCalled()
  act(() => page.getByRole('button', { name: 'Undo' }).blur())
  pass(6_000)
  expect(page.onDismiss.mock.calls).toEqual([['t']])
})

test('UI-4 a toast stays while it is pointed at, although the focus has left it', () => {
  using page = open([archived()])
  act(() => page.getByRole('button', { name: 'Dismiss' }).focus())
  fireEvent.mouseEnter(page.getByText('Archived'))
  act(() => page.getByRole('button', { name: 'Dismiss' }).blur())
  pass(60_000)
  expect(page.onDismiss).not.toHaveBeenCalled()
})

test('UI-4 a toast stays while the window is in the background', () => {
  using page = open([archived()])
  fireEvent.blur(window)
  pass(60_000)
  expect(page.onDismiss).not.toHaveBeenCalled()
  fireEvent.focus(window)
  pass(6_000)
  expect(page.onDismiss.mock.calls).toEqual([['t']])
})

test('UI-4 the way back of a toast is gone once and puts the toast away', () => {
  const toast = archived()
  using page = open([toast])
  fireEvent.click(page.getByRole('button', { name: 'Undo' }))
  expect(toast.action.onAction).toHaveBeenCalledOnce()
  expect(page.onDismiss.mock.calls).toEqual([['t']])
})

test('UI-4 a toast is put away by its button and by Esc', () => {
  using page = open([
    { id: 'a', message: 'First' },
    { id: 'b', message: 'Second' },
  ])
  fireEvent.click(page.getAllByRole('button', { name: 'Dismiss' })[0] ?? page.region)
  expect(page.onDismiss.mock.calls).toEqual([['a']])
  const [dismiss] = page.getAllByRole('button', { name: 'Dismiss' }).slice(-1)
  act(() => dismiss?.focus())
  fireEvent.keyDown(dismiss ?? page.region, { key: 'Escape' })
  expect(page.onDismiss.mock.calls.at(-1)).toEqual(['b'])
})

test('UI-4 a toast that comes later lets the one before go in its own time', () => {
  using page = open([{ id: 'a', message: 'First' }])
  pass(4_000)
  page.more([
    { id: 'a', message: 'First' },
    { id: 'b', message: 'Second', tone: 'error' },
  ])
  expect(page.region.textContent).toBe('FirstSecond')
  pass(2_000)
  expect(page.onDismiss.mock.calls).toEqual([['a']])
  pass(4_000)
  expect(page.onDismiss.mock.calls.at(-1)).toEqual(['b'])
})

test('UI-4 a toast that is taken back leaves at once', async () => {
  using page = open([archived(), { id: 'b', message: 'Second' }])
  page.more([{ id: 'b', message: 'Second' }])
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(page.queryByText('Archived')).toBeNull()
  expect(page.getByText('Second')).toBeTruthy()
})

test('UI-4 the four newest toasts are shown, and an older one again when there is space', () => {
  const toasts = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, message: id }))
  using page = open(toasts)
  const hidden = () => [...page.region.querySelectorAll('[inert]')].map(({ textContent }) => textContent)
  expect(hidden()).toEqual(['a'])
  fireEvent.click(page.getAllByRole('button', { name: 'Dismiss' }).at(-1) ?? page.region)
  expect(page.onDismiss.mock.calls).toEqual([['e']])
  expect(hidden()).toEqual([])
})

test('UI-23 toasts are announced politely, and F6 moves the focus to them', () => {
  using page = open([archived()])
  expect(page.region.getAttribute('aria-live')).toBe('polite')
  expect(page.getByRole('group', { name: 'Archived' })).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'F6' })
  expect(document.activeElement).toBe(page.region)
})
