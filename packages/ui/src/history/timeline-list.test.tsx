// @vitest-environment happy-dom
import type { HistoryDetail, HistoryKind } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import type { TimelineEntry } from './timeline-entry.ts'
import { TimelineList } from './timeline-list.tsx'

function entry(kind: HistoryKind, facts: Partial<TimelineEntry>, detail: Partial<HistoryDetail> = {}) {
  const whole = { lastSeq: 4, hidden: [], shown: [], ...detail }
  return {
    id: `op_${kind}`,
    sessionId: 'ses_1',
    kind,
    detail: whole,
    createdAt: 0,
    hiddenCount: 0,
    shownCount: 0,
    restoresCount: 0,
    canUndo: false,
    ...facts,
  }
}

function timeline(entries: TimelineEntry[], hidden = [textMessage('m2', 'assistant', '')]) {
  const on = {
    onUndo: vi.fn(),
    onGoTo: vi.fn(),
    onOpenBranch: vi.fn(),
    onRestoreTo: vi.fn(),
    onPreview: vi.fn(),
  }
  const page = show(
    <TimelineList
      entries={entries}
      sent={[]}
      textOf={(id) => (id === 'm1' ? 'Why “boat”?' : null)}
      hiddenBy={(id) => (id === entries[0]?.id ? hidden : [])}
      reasonOf={(id) => (id === 'op_unrewind' ? 'restore' : null)}
      {...on}
    />,
  )
  return Object.assign(page, { on })
}

test('UI-18 a rewind shows its target, what it hid and which files it restored, and is undone', () => {
  const rewind = entry(
    'rewind',
    { hiddenCount: 3, canUndo: true },
    { targetMessageId: 'm1', fileCount: 2, beforeTokens: 900, afterTokens: 100 },
  )
  using page = timeline([rewind])
  expect(page.getByText('at “Why ‘boat’?”')).toBeDefined()
  expect(page.getByText(/^3 messages hidden · 2 files restored · 900 → 100 tokens · /)).toBeDefined()
  fireEvent.click(page.getByRole('button', { name: 'Undo' }))
  expect(page.on.onUndo).toHaveBeenCalledExactlyOnceWith(rewind)
  fireEvent.click(page.getByRole('button', { name: 'Go to this message' }))
  expect(page.on.onGoTo).toHaveBeenCalledExactlyOnceWith('m1')
})

test('UI-18 a preview reads as plain words, and says how many more there are', () => {
  const hidden = [
    textMessage('m2', 'user', 'And **oars**?'),
    textMessage('m3', 'assistant', '> A *palimpsest* of `some_name`\n\n- one\n- two'),
  ]
  using page = timeline([entry('rewind', { hiddenCount: 5 })], hidden)
  fireEvent.click(page.getByRole('button', { name: 'What it hid: 2 messages' }))
  expect(page.getByText('And oars?')).toBeDefined()
  expect(page.getByText('A palimpsest of some_name one two')).toBeDefined()
  expect(page.getByText('and 3 more further up')).toBeDefined()
})

test('UI-18 an operation that cannot be undone offers no undo; a branch is opened', () => {
  using page = timeline([entry('branch', {}, { branchId: 'ses_2', beforeTokens: 9, afterTokens: 1 })], [])
  expect(page.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(page.queryByText(/tokens/)).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Open' }))
  expect(page.on.onOpenBranch).toHaveBeenCalledExactlyOnceWith('ses_2')
})

test('UI-18 a chat to which nothing was done says what would be there', () => {
  using page = timeline([])
  expect(page.getByText('No changes to this chat yet.')).toBeDefined()
})

test('UI-29 a state that no undo leads to is named by what happened, and one press returns to it', () => {
  using page = timeline([entry('unrewind', { shownCount: 2 })])
  fireEvent.click(page.getByRole('button', { name: /^Restore: before you restored, / }))
  expect(page.on.onRestoreTo).toHaveBeenCalledExactlyOnceWith('op_unrewind')
})
