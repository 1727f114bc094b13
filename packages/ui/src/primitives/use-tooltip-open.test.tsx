// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IconButton } from '../popups/icon-button.tsx'
import { show } from '../testing/show.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('UI-23 no tooltip opens for a pointer that has left', () => {
  using page = show(<IconButton label="Ways">…</IconButton>)
  const button = page.getByRole('button', { name: 'Ways' })
  pass(1_000)
  fireEvent.pointerEnter(button, { pointerType: 'mouse' })
  fireEvent.pointerEnter(button, { pointerType: 'mouse' })
  fireEvent.pointerLeave(button)
  pass(2_000)
  expect(page.queryByText('Ways')).toBeNull()
})

test('UI-23 Esc closes an open tooltip and still reaches other listeners', () => {
  using page = show(<IconButton label="Ways">…</IconButton>)
  const button = page.getByRole('button', { name: 'Ways' })
  const others = vi.fn()
  document.addEventListener('keydown', others)
  fireEvent.pointerEnter(button, { pointerType: 'mouse' })
  pass(1_000)
  expect(page.queryByText('Ways')).not.toBeNull()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  pass(1_000)
  expect(button.hasAttribute('data-popup-open')).toBe(false)
  expect(others).toHaveBeenCalledOnce()
  document.removeEventListener('keydown', others)
})

test('UI-23 a press closes the tooltip of its control', () => {
  const onClick = vi.fn()
  using page = show(
    <IconButton label="Ways" onClick={onClick}>
      …
    </IconButton>,
  )
  const button = page.getByRole('button', { name: 'Ways' })
  pass(1_000)
  fireEvent.pointerEnter(button, { pointerType: 'mouse' })
  fireEvent.pointerDown(button)
  fireEvent.click(button)
  pass(2_000)
  expect(page.queryByText('Ways')).toBeNull()
  expect(onClick).toHaveBeenCalledOnce()
})
