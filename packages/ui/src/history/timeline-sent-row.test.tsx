// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import type { TimelineEntry } from './timeline-entry.ts'
import { TimelineList } from './timeline-list.tsx'
import { type SentPoint, TimelineSentRow } from './timeline-sent-row.tsx'

const NOON = new Date(2026, 4, 20, 12, 0).getTime()

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const actions = () => ({
  onUndo: vi.fn(),
  onGoTo: vi.fn(),
  onOpenBranch: vi.fn(),
  onRestoreTo: vi.fn(),
  onPreview: vi.fn(),
})

function row(point: Partial<SentPoint> = {}) {
  const on = { onRestoreTo: vi.fn(), onPreview: vi.fn() }
  const page = show(
    <ol>
      <TimelineSentRow point={{ pointId: 'm1', at: NOON, text: 'Of ink?', ...point }} last {...on} />
    </ol>,
  )
  return Object.assign(page, { on })
}

test('UI-29 a message that was sent is a row with its words and its time', () => {
  using page = row()
  expect(page.getByRole('heading', { name: 'You sent a message' })).toBeDefined()
  expect(page.getByText('Of ink?')).toBeDefined()
  expect(page.container.querySelector('p.tabular-nums')?.textContent).toMatch(/^12:00.PM$/)
})

test('UI-29 a message whose words are not loaded is a row without them', () => {
  using page = row({ text: null })
  expect(page.container.querySelectorAll('p')).toHaveLength(1)
})

test('UI-29 the state before a message is previewed and restored by one press each', () => {
  using page = row()
  fireEvent.click(page.getByRole('button', { name: 'Preview' }))
  expect(page.on.onPreview).toHaveBeenCalledExactlyOnceWith('m1')
  expect(page.on.onRestoreTo).not.toHaveBeenCalled()
  fireEvent.click(page.getByRole('button', { name: /^Restore: before you sent a message, 12:00.PM$/ }))
  expect(page.on.onRestoreTo).toHaveBeenCalledExactlyOnceWith('m1')
})

test('SX-3 the words of a sent message stay text', () => {
  using page = row({ text: '<img src=x> **ink**' })
  expect(page.container.querySelector('img, strong')).toBeNull()
  expect(page.getByText('<img src=x> **ink**')).toBeDefined()
})

const sent = (count: number): SentPoint[] =>
  Array.from({ length: count }, (_, at) => ({
    pointId: `m${count - at}`,
    at: NOON - at * 1_000,
    text: `Message ${count - at}`,
  }))

function change(at: number, facts: Partial<TimelineEntry> = {}): TimelineEntry {
  const detail = { lastSeq: 1, hidden: [], shown: [] }
  return {
    id: `op_${at}`,
    sessionId: 'ses_1',
    kind: 'switch',
    detail,
    createdAt: at,
    hiddenCount: 0,
    shownCount: 0,
    restoresCount: 0,
    canUndo: false,
    ...facts,
  }
}

function list(entries: readonly TimelineEntry[], points: readonly SentPoint[]) {
  const on = actions()
  const element = (next: readonly SentPoint[]) => (
    <TimelineList
      entries={entries}
      sent={next}
      textOf={() => null}
      hiddenBy={() => []}
      reasonOf={() => null}
      {...on}
    />
  )
  const page = show(element(points))
  const names = () => page.getAllByRole('heading').map(({ textContent }) => textContent)
  return Object.assign(page, { on, element, names })
}

test('UI-29 messages and changes are in one list, the latest first', () => {
  using page = list([change(NOON - 1_500), change(NOON - 5_000)], sent(3))
  expect(page.names()).toEqual([
    'You sent a message',
    'You sent a message',
    'Switched the model',
    'You sent a message',
    'Switched the model',
  ])
})

test('UI-29 of a change and a message of one moment the change is above', () => {
  using page = list([change(NOON)], sent(1))
  expect(page.names()).toEqual(['Switched the model', 'You sent a message'])
})

test('UI-29 a chat in which messages were sent has a timeline without any change', () => {
  using page = list([], sent(1))
  expect(page.getByText('Every change to this chat. Nothing was deleted.')).toBeDefined()
  expect(page.queryByText('No changes to this chat yet.')).toBeNull()
})

test('UI-29 the list draws 60 rows, and 60 more each time that earlier ones are asked for', () => {
  using page = list([], sent(130))
  const earlier = () => page.queryByRole('button', { name: 'Show earlier' })
  for (const rows of [60, 120, 130]) {
    expect(page.container.querySelectorAll('li')).toHaveLength(rows)
    const button = earlier()
    if (button) fireEvent.click(button)
  }
  expect(earlier()).toBeNull()
  expect(page.getByText('Message 1')).toBeDefined()
})

test('UI-29 exactly as many rows as are drawn at first have no button for more', () => {
  using page = list([], sent(60))
  expect(page.queryByRole('button', { name: 'Show earlier' })).toBeNull()
})

test('UI-29 a message that is sent while earlier rows are open leaves them open', () => {
  using page = list([], sent(61))
  fireEvent.click(page.getByRole('button', { name: 'Show earlier' }))
  page.rerender(page.element(sent(62)))
  expect(page.container.querySelectorAll('li')).toHaveLength(62)
})

test('UI-18 only the last of all rows has no line below it, not the last that is drawn', () => {
  using page = list([], sent(61))
  const lines = () => page.container.querySelectorAll('li > .bg-line').length
  expect(lines()).toBe(60)
  fireEvent.click(page.getByRole('button', { name: 'Show earlier' }))
  expect(lines()).toBe(60)
})
