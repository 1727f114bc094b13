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
  open: false,
  onOpenChange: () => undefined,
  originals: false,
}

function divider(props: Partial<CompactionDividerProps> = {}) {
  return show(<CompactionDivider {...FACTS} {...props} />)
}

test('UI-21 a divider says what was summarised, and asks to be opened', () => {
  const onOpenChange = vi.fn()
  using page = divider({ onOpenChange })
  const title = page.getByRole('button', { name: /^Summarised 24 earlier messages.*41k → 3k tokens$/ })
  expect(title.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(title)
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(true)
})

test('UI-21 an open divider shows the summary, and the way to the messages and back', () => {
  const onToggleOriginals = vi.fn()
  using page = divider({ open: true, onToggleOriginals })
  expect(page.getByText('They named a boat.')).toBeDefined()
  fireEvent.click(page.getByRole('button', { name: 'Show the messages' }))
  expect(onToggleOriginals).toHaveBeenCalledOnce()
  page.rerender(<CompactionDivider {...FACTS} open originals onToggleOriginals={onToggleOriginals} />)
  expect(page.getByRole('button', { name: 'Hide the messages' }).getAttribute('aria-pressed')).toBe('true')
})

test('UI-21 a summary is undone where it can be', () => {
  const onUndo = vi.fn()
  using page = divider({ onUndo })
  fireEvent.click(page.getByRole('button', { name: 'Undo' }))
  expect(onUndo).toHaveBeenCalledOnce()
})

test('UI-21 a summary that a branch was made with has nothing behind it and no way back', () => {
  using page = divider({ count: null, open: true })
  expect(page.getByRole('button', { name: /^Summarised earlier messages/ })).toBeDefined()
  expect(page.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(page.queryByRole('button', { name: /the messages$/ })).toBeNull()
})
