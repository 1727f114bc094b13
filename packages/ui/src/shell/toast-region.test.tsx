// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { type Toast, ToastRegion } from './toast-region.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

function open(toasts: Toast[]) {
  const onDismiss = vi.fn()
  const page = show(<ToastRegion toasts={toasts} onDismiss={onDismiss} />)
  const box = (message: string) => page.getByText(message).parentElement ?? page.container
  return Object.assign(page, { onDismiss, box })
}

test('UI-4 a toast stays while the focus is in it, wherever the pointer goes', () => {
  using page = open([{ id: 't', message: 'Archived', action: { label: 'Undo', onAction: vi.fn() } }])
  fireEvent.pointerEnter(page.box('Archived'))
  fireEvent.focus(page.getByRole('button', { name: 'Undo' }))
  fireEvent.pointerLeave(page.box('Archived'))
  pass(60_000)
  expect(page.onDismiss).not.toHaveBeenCalled()
  fireEvent.blur(page.getByRole('button', { name: 'Undo' }))
  pass(6_000)
  expect(page.onDismiss.mock.calls).toEqual([['t']])
})

test('UI-4 a toast stays while it is pointed at, although the focus has left it', () => {
  using page = open([{ id: 't', message: 'Archived' }])
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  fireEvent.focus(dismiss)
  fireEvent.pointerEnter(page.box('Archived'))
  fireEvent.blur(dismiss)
  pass(60_000)
  expect(page.onDismiss).not.toHaveBeenCalled()
})

test('UI-4 the way back of a toast is gone once and puts the toast away', () => {
  const onAction = vi.fn()
  using page = open([{ id: 't', message: 'Archived', action: { label: 'Undo', onAction } }])
  fireEvent.click(page.getByRole('button', { name: 'Undo' }))
  expect(onAction).toHaveBeenCalledOnce()
  expect(page.onDismiss.mock.calls).toEqual([['t']])
})

test('UI-4 a toast that comes later lets the one before go in its own time', () => {
  using page = open([{ id: 'a', message: 'First' }])
  pass(4_000)
  page.rerender(
    <ToastRegion
      toasts={[
        { id: 'a', message: 'First' },
        { id: 'b', message: 'Second', tone: 'error' },
      ]}
      onDismiss={page.onDismiss}
    />,
  )
  pass(2_000)
  expect(page.onDismiss.mock.calls).toEqual([['a']])
  pass(4_000)
  expect(page.onDismiss.mock.calls.at(-1)).toEqual(['b'])
})

test('UI-23 toasts are announced politely', () => {
  using page = open([])
  expect(page.getByRole('region', { name: 'Notifications' }).getAttribute('aria-live')).toBe('polite')
})
