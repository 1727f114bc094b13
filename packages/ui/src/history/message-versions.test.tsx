// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { MessageVersions } from './message-versions.tsx'

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
