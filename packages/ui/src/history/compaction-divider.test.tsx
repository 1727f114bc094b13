// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { CompactionDivider, type CompactionDividerProps } from './compaction-divider.tsx'

const FACTS = {
  count: 24,
  beforeTokens: 41_000,
  afterTokens: 3_000,
  summary: 'They named a boat.',
  createdAt: 0,
  originals: false,
}

function divider(props: Partial<CompactionDividerProps> = {}) {
  return show(<CompactionDivider {...FACTS} {...props} />)
}

test('UI-21 a divider says what was summarised, and opens to the summary and to the messages', () => {
  const onToggleOriginals = vi.fn()
  using page = divider({ onToggleOriginals })
  const title = page.getByRole('button', { name: /^Summarised 24 earlier messages.*41k → 3k tokens$/ })
  expect(title.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(title)
  expect(title.getAttribute('aria-expanded')).toBe('true')
  expect(page.getByText('They named a boat.')).toBeDefined()
  fireEvent.click(page.getByRole('button', { name: 'Show the messages' }))
  expect(onToggleOriginals).toHaveBeenCalledOnce()
})

test('UI-21 a divider stands open while its messages are shown, so that they can be hidden again', () => {
  using page = divider({ originals: true, onToggleOriginals: vi.fn() })
  expect(page.getByRole('button', { name: 'Hide the messages' })).toBeDefined()
})

test('UI-21 a summary that a branch was made with has nothing behind it and no way back', () => {
  using page = divider({ count: null, originals: true })
  expect(page.getByRole('button', { name: /^Summarised earlier messages/ })).toBeDefined()
  expect(page.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(page.queryByRole('button', { name: /the messages$/ })).toBeNull()
})
