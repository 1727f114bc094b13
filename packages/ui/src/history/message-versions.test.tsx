// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { MessageVersions, type MessageVersionsProps } from './message-versions.tsx'

test('UI-28 at a message one steps to its other versions by arrows and by keys, and no further than there are', () => {
  const onSelect = vi.fn()
  using page = show(
    <MessageVersions
      author="user"
      current={1}
      total={3}
      focused={false}
      onFocused={vi.fn()}
      onSelect={onSelect}
    />,
  )
  const versions = page.getByRole('group', { name: 'Edits of this message' })
  expect(versions.textContent).toContain('Version 2 of 3')
  fireEvent.click(page.getByRole('button', { name: 'Previous version' }))
  fireEvent.keyDown(versions, { key: 'ArrowRight' })
  expect(onSelect.mock.calls).toEqual([[0], [2]])
})

test('UI-28 UI-23 the first version has none before it, and the focus follows a step', () => {
  const onSelect = vi.fn()
  using page = show(
    <MessageVersions
      author="assistant"
      current={0}
      total={2}
      focused
      onFocused={vi.fn()}
      onSelect={onSelect}
    />,
  )
  const versions = page.getByRole('group', { name: 'Replies to this message' })
  expect(document.activeElement).toBe(versions)
  expect(page.getByRole('button', { name: 'Previous version' })).toHaveProperty('disabled', true)
  fireEvent.keyDown(versions, { key: 'ArrowLeft' })
  expect(onSelect).not.toHaveBeenCalled()
})

function versions(props: Partial<MessageVersionsProps> = {}) {
  const on = { onFocused: vi.fn(), onSelect: vi.fn() }
  const element = (next: Partial<MessageVersionsProps> = {}) => (
    <MessageVersions author="user" current={1} total={3} focused={false} {...on} {...props} {...next} />
  )
  const page = show(element())
  return Object.assign(page, { on, element, group: page.getByRole('group') })
}

test.each(['altKey', 'ctrlKey', 'metaKey'])(
  'UI-28 an arrow key with %s at the versions of a message is left to the browser',
  (held) => {
    using page = versions()
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      expect(fireEvent.keyDown(page.group, { key, [held]: true })).toBe(true)
    }
    expect(page.on.onSelect).not.toHaveBeenCalled()
  },
)

test('UI-28 other keys at the versions of a message are left to the page', () => {
  using page = versions()
  for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'Escape', 'x']) {
    expect(fireEvent.keyDown(page.group, { key })).toBe(true)
  }
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test('UI-28 the last version has none after it', () => {
  using page = versions({ current: 2 })
  expect(page.getByRole('button', { name: 'Next version' })).toHaveProperty('disabled', true)
  expect(fireEvent.keyDown(page.group, { key: 'ArrowRight' })).toBe(false)
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test('UI-28 UI-23 the focus is taken once for each step that leads here, and never without one', () => {
  using page = versions()
  expect(page.on.onFocused).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(document.body)
  page.rerender(page.element({ focused: true }))
  expect(document.activeElement).toBe(page.group)
  page.rerender(page.element({ focused: true, total: 4 }))
  expect(page.on.onFocused).toHaveBeenCalledOnce()
})

test('UI-23 the place among the versions is drawn in short and read in words', () => {
  using page = versions({ current: 9, total: 12 })
  expect(page.getByText('10 / 12').getAttribute('aria-hidden')).toBe('true')
  expect(page.getByText('Version 10 of 12')).toBeDefined()
})
