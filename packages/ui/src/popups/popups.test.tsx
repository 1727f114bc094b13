// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { IconButton } from './icon-button.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Popover } from './popover.tsx'

afterEach(() => void vi.useRealTimers())

function SampleMenu({ onSelect = () => undefined }: { onSelect?: () => void }) {
  return (
    <Menu trigger={<IconButton label="Ways">…</IconButton>}>
      <MenuItem onSelect={onSelect}>One</MenuItem>
      <MenuItem onSelect={onSelect}>Two</MenuItem>
    </Menu>
  )
}

test.for([
  ['ArrowDown', 'One'],
  ['ArrowUp', 'Two'],
] as const)('UI-23 %s on a menu button opens the menu at %s, and Escape closes it', async ([key, item]) => {
  using page = show(<SampleMenu />)
  const button = page.getByRole('button', { name: 'Ways' })
  fireEvent.keyDown(button, { key })
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe(item))
  expect(button.getAttribute('aria-expanded')).toBe('true')
  fireEvent.keyDown(page.getByRole('menu'), { key: 'Escape' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

test('UI-3 an item of a menu does what it says and closes the menu', () => {
  const onSelect = vi.fn()
  using page = show(<SampleMenu onSelect={onSelect} />)
  const button = page.getByRole('button', { name: 'Ways' })
  fireEvent.click(button)
  fireEvent.click(page.getByRole('menuitem', { name: 'Two' }))
  expect(onSelect).toHaveBeenCalledOnce()
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

test('UI-23 a panel opens and closes by its button, which keeps its own handlers', () => {
  const onClick = vi.fn()
  using page = show(
    <Popover
      label="More"
      trigger={
        <button type="button" onClick={onClick}>
          Open
        </button>
      }
    >
      Words
    </Popover>,
  )
  const button = page.getByRole('button', { name: 'Open' })
  fireEvent.click(button)
  expect(page.getByRole('dialog', { name: 'More' }).textContent).toContain('Words')
  fireEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(onClick).toHaveBeenCalledTimes(2)
})

test('UI-23 a pointer that rests on a control opens its tooltip, one that passes or touches does not', () => {
  vi.useFakeTimers()
  using page = show(<IconButton label="Ways">…</IconButton>)
  const button = page.getByRole('button', { name: 'Ways' })
  const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))
  fireEvent.pointerEnter(button, { pointerType: 'touch' })
  wait(1_000)
  fireEvent.pointerEnter(button, { pointerType: 'mouse' })
  wait(449)
  expect(page.queryByText('Ways')).toBeNull()
  wait(1)
  expect(page.queryByText('Ways')).not.toBeNull()
})

test('UI-23 a control is explained while what it opens is closed, and not while that is open', () => {
  vi.useFakeTimers()
  using page = show(
    <Popover label="More" trigger={<IconButton label="Ways">…</IconButton>}>
      Words
    </Popover>,
  )
  const button = page.getByRole('button', { name: 'Ways' })
  const rest = () => {
    fireEvent.pointerLeave(button)
    fireEvent.pointerEnter(button, { pointerType: 'mouse' })
    act(() => vi.advanceTimersByTime(450))
  }
  fireEvent.click(button)
  rest()
  expect(page.queryByText('Ways')).toBeNull()
  fireEvent.click(button)
  rest()
  expect(page.queryByText('Ways')).not.toBeNull()
})
