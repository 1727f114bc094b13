// @vitest-environment happy-dom
import type { ChatMessage, HistoryDetail, HistoryKind } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleMessage, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import type { TimelineEntry } from './timeline-entry.ts'
import { TimelineRow, type TimelineRowProps } from './timeline-row.tsx'

const NOON = new Date(2026, 4, 20, 12, 0).getTime()

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

function entry(
  kind: HistoryKind,
  detail: Partial<HistoryDetail> = {},
  facts: Partial<TimelineEntry> = {},
): TimelineEntry {
  return {
    id: 'op_1',
    sessionId: 'ses_1',
    kind,
    detail: { lastSeq: 1, hidden: [], shown: [], ...detail },
    createdAt: NOON,
    hiddenCount: 0,
    shownCount: 0,
    restoresCount: 0,
    canUndo: false,
    ...facts,
  }
}

function row(one: TimelineEntry, props: Partial<TimelineRowProps> = {}) {
  const on = {
    onUndo: vi.fn(),
    onGoTo: vi.fn(),
    onOpenBranch: vi.fn(),
    onRestoreTo: vi.fn(),
    onPreview: vi.fn(),
  }
  const page = show(
    <ol>
      <TimelineRow
        entry={one}
        last={false}
        textOf={() => null}
        hiddenBy={() => []}
        reasonOf={() => null}
        {...on}
        {...props}
      />
    </ol>,
  )
  const names = () => page.queryAllByRole('button').map(({ textContent }) => textContent)
  return Object.assign(page, { on, names, press: (name: string | RegExp) => click(page, name) })
}

function click(page: ReturnType<typeof show>, name: string | RegExp): void {
  fireEvent.click(page.getByRole('button', { name }))
}

test('UI-18 a change without a target, a branch or a state before it has no button', () => {
  using page = row(entry('switch'))
  expect(page.names()).toEqual([])
  expect(page.getByRole('heading', { name: 'Switched the model' })).toBeDefined()
})

test('UI-18 a change of today has a time, one of another day its day, one of another year its year', () => {
  using page = row(entry('switch'))
  const line = () => page.container.querySelector('.tabular-nums')?.textContent
  expect(line()).toMatch(/^12:00.PM$/)
  using former = row(entry('switch', {}, { createdAt: new Date(2026, 2, 4, 9, 30).getTime() }))
  expect(former.container.querySelector('.tabular-nums')?.textContent).toMatch(/^Mar 4, 9:30.AM$/)
  using old = row(entry('switch', {}, { createdAt: new Date(2024, 2, 4, 9, 30).getTime() }))
  expect(old.container.querySelector('.tabular-nums')?.textContent).toMatch(/^Mar 4, 2024, 9:30.AM$/)
})

test('UI-29 the one button back is Undo where an operation can be undone, and it says where it leads', () => {
  using page = row(entry('rewind', {}, { canUndo: true }), { reasonOf: () => 'rewind' })
  expect(page.names()).toEqual(['Undo', 'Preview'])
  expect(page.getByText(/^Undo goes back to before you rewound, 12:00.PM\.$/)).toBeDefined()
})

test('UI-29 an operation that can be undone without a state of its own has Undo alone', () => {
  using page = row(entry('switch', {}, { canUndo: true }))
  expect(page.names()).toEqual(['Undo'])
  expect(page.queryByText(/Undo goes back/)).toBeNull()
})

test('UI-29 where there is no undo the state before is restored by its name, or previewed', () => {
  using page = row(entry('compaction'), { reasonOf: () => 'summary' })
  page.press('Preview')
  expect(page.on.onPreview).toHaveBeenCalledExactlyOnceWith('op_1')
  page.press(/^Restore: before the summary, 12:00.PM$/)
  expect(page.on.onRestoreTo).toHaveBeenCalledExactlyOnceWith('op_1')
  expect(page.on.onUndo).not.toHaveBeenCalled()
})

test('UI-29 the reason is asked for by the id of the operation', () => {
  const reasonOf = vi.fn(() => null)
  using _page = row(entry('prune'), { reasonOf })
  expect(reasonOf).toHaveBeenCalledWith('op_1')
})

test('UI-18 a target that is not loaded has no words, and is still gone to', () => {
  using page = row(entry('rewind', { targetMessageId: 'm7' }))
  expect(page.queryByText(/^at /)).toBeNull()
  page.press('Go to this message')
  expect(page.on.onGoTo).toHaveBeenCalledExactlyOnceWith('m7')
})

test('UI-18 without a target no text is asked for', () => {
  const textOf = vi.fn(() => 'Words')
  using page = row(entry('rewind'), { textOf })
  expect(textOf).not.toHaveBeenCalled()
  expect(page.queryByText(/^at /)).toBeNull()
})

test('UI-18 a branch from a message leads to the message and to the branch', () => {
  using page = row(entry('branch', { targetMessageId: 'm1', branchId: 'ses_9' }), { textOf: () => 'Ink' })
  expect(page.getByText('at “Ink”')).toBeDefined()
  page.press('Open')
  page.press('Go to this message')
  expect(page.on.onOpenBranch).toHaveBeenCalledExactlyOnceWith('ses_9')
  expect(page.on.onGoTo).toHaveBeenCalledExactlyOnceWith('m1')
})

test('SX-3 the words of a target stay text', () => {
  using page = row(entry('rewind', { targetMessageId: 'm1' }), { textOf: () => '<b onclick="x()">Ink</b>' })
  expect(page.container.querySelector('b')).toBeNull()
  expect(page.getByText('at “<b onclick=‘x()’>Ink</b>”')).toBeDefined()
})

function preview(hidden: ChatMessage[], hiddenCount = hidden.length) {
  const page = row(entry('rewind', {}, { hiddenCount }), { hiddenBy: () => hidden })
  const lines = () =>
    page
      .queryAllByRole('listitem')
      .flatMap(({ className, textContent }) => (className.includes('pb-5') ? [] : [textContent]))
  return Object.assign(page, { lines })
}

test('UI-18 what was hidden is folded until it is asked for', () => {
  using page = preview([textMessage('m1', 'user', 'Of ink?')])
  const fold = page.getByRole('button', { name: 'What it hid: 1 message' })
  expect(fold.getAttribute('aria-expanded')).toBe('false')
  expect(page.lines()).toEqual([])
  fireEvent.click(fold)
  expect(fold.getAttribute('aria-expanded')).toBe('true')
  expect(page.lines()).toEqual(['You said: Of ink?'])
})

test('UI-18 nothing is folded where no hidden message is loaded', () => {
  using page = preview([], 12)
  expect(page.names()).toEqual([])
  expect(page.getByText(/^12 messages hidden · /)).toBeDefined()
})

test('UI-18 what is loaded of the hidden messages is not said to be missing', () => {
  using page = preview([textMessage('m1', 'user', 'One'), textMessage('m2', 'assistant', 'Two')])
  page.press(/^What it hid/)
  expect(page.lines()).toEqual(['You said: One', 'Two'])
})

test('UI-18 more loaded than counted is not a number below nothing', () => {
  using page = preview([textMessage('m1', 'user', 'One'), textMessage('m2', 'assistant', 'Two')], 1)
  page.press(/^What it hid/)
  expect(page.lines()).toEqual(['You said: One', 'Two'])
})

test.each<[string, ChatMessage['parts']]>([
  ['without a part', []],
  ['of spaces', [{ type: 'text', text: '   ', state: 'done' }]],
  ['of reasoning alone', [{ type: 'reasoning', text: 'Hm.', state: 'done' }]],
  ['of marks alone', [{ type: 'text', text: '***', state: 'done' }]],
])('UI-18 a hidden message %s is a file in the preview', (_, parts) => {
  using page = preview([sampleMessage('m1', 'assistant', parts)])
  page.press(/^What it hid/)
  expect(page.lines()).toEqual(['File'])
})

test('UI-18 a preview reads the start of a long message only', () => {
  using page = preview([textMessage('m1', 'assistant', `${'a'.repeat(400)}${'b'.repeat(100_000)}`)])
  page.press(/^What it hid/)
  expect(page.lines()).toEqual(['a'.repeat(400)])
})

test('SX-3 a link and a picture of a hidden message are words in the preview', () => {
  using page = preview([
    textMessage('m1', 'assistant', '[ink](https://example.org) ![pot](https://example.org/a.png) <i>x</i>'),
  ])
  page.press(/^What it hid/)
  expect(page.lines()).toEqual(['ink pot <i>x</i>'])
  expect(page.container.querySelector('a, img, i')).toBeNull()
})

test('UI-18 a line joins a row to the next, and the last has none', () => {
  const line = (last: boolean) => {
    using page = row(entry('switch'), { last })
    return page.container.querySelector('.bg-line') !== null
  }
  expect([line(false), line(true)]).toEqual([true, false])
})
