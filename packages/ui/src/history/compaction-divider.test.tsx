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

test('UI-21 one message is summarised in the singular', () => {
  using page = divider({ count: 1, beforeTokens: 900, afterTokens: 0 })
  expect(page.getByRole('button', { name: /^Summarised 1 earlier message\b.*900 → 0 tokens$/ })).toBeDefined()
})

test('UI-21 a closed divider holds neither its summary nor the way to the messages', () => {
  using page = divider({ onToggleOriginals: vi.fn() })
  expect(page.queryByText('They named a boat.')).toBeNull()
  expect(page.queryByRole('button', { name: /the messages$/ })).toBeNull()
})

test('UI-21 an open divider asks to be closed, and undo does not close it', () => {
  const on = { onOpenChange: vi.fn(), onUndo: vi.fn() }
  using page = divider({ open: true, ...on })
  fireEvent.click(page.getByRole('button', { name: 'Undo' }))
  expect(on.onOpenChange).not.toHaveBeenCalled()
  fireEvent.click(page.getByRole('button', { name: /^Summarised/ }))
  expect(on.onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
})

test('UI-21 UI-6 a summary is read as Markdown', async () => {
  using page = divider({ open: true, summary: '- one\n- **two**' })
  await vi.waitFor(() => expect(page.container.querySelectorAll('li')).toHaveLength(2), { timeout: 20_000 })
  expect(page.container.querySelector('strong')?.textContent).toBe('two')
})

test('SX-3 UI-21 HTML in a summary stays text', async () => {
  using page = divider({ open: true, summary: '*A boat* <img src=x onerror=alert(1)> and <b>oars</b>' })
  await vi.waitFor(() => expect(page.container.querySelector('em')).not.toBeNull(), { timeout: 20_000 })
  expect(page.container.textContent).toContain('<b>oars</b>')
  expect(page.container.querySelector('img, b')).toBeNull()
})
