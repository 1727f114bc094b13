// @vitest-environment happy-dom
import { LIMITS } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import { en } from '../messages/en.ts'
import { MessagesProvider } from '../messages/messages-context.tsx'
import { show } from '../testing/show.tsx'
import { FindBar, type FindState } from './find-bar.tsx'
import { FindList, type FindMatch } from './find-list.tsx'

const FOUND: FindState = {
  type: 'found',
  total: 14,
  more: false,
  at: { position: 2, layer: 'hidden' },
  within: { position: 1, total: 3 },
}

function bar(state: FindState, listed = false) {
  const on = { onQueryChange: vi.fn(), onStep: vi.fn(), onClose: vi.fn(), onListedChange: vi.fn() }
  const page = show(
    <FindBar query="ink" state={state} listed={listed} field={null} {...on}>
      <p>The list</p>
    </FindBar>,
  )
  return Object.assign(page, { on, outcome: () => page.getByRole('status').textContent })
}

test.each<[string, FindState]>([
  ['', { type: 'empty' }],
  ['Searching…', { type: 'searching' }],
  ['The search failed. Change the words to try again.', { type: 'failed' }],
  ['No matches', { ...FOUND, total: 0, at: null, within: null }],
  ['1 message', { ...FOUND, total: 1, at: null, within: null }],
  ['1,000 messages or more', { ...FOUND, total: 1_000, more: true, at: null, within: null }],
  ['2 of 14 messages · match 1 of 3Hidden', FOUND],
  ['2 of 14 messagesSummarised', { ...FOUND, at: { position: 2, layer: 'summarised' }, within: null }],
  ['2 of 14 messages', { ...FOUND, at: { position: 2, layer: 'visible' }, within: null }],
])('UI-30 find announces politely: %s', (text, state) => {
  using page = bar(state)
  expect(page.outcome()).toBe(text)
})

test('UI-30 Enter steps down, Shift Enter up, and Esc closes without acting on the page', () => {
  using page = bar(FOUND)
  const field = page.getByRole('searchbox')
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
  fireEvent.click(page.getByRole('button', { name: 'Next match' }))
  fireEvent.click(page.getByRole('button', { name: 'Previous match' }))
  expect(page.on.onStep.mock.calls).toEqual([[1], [-1], [1], [-1]])
  const stop = vi.fn()
  document.addEventListener('keydown', (event) => event.defaultPrevented || stop(), { once: true })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(page.on.onClose).toHaveBeenCalledOnce()
  expect(stop).not.toHaveBeenCalled()
})

test('UI-30 Enter that ends the composition of a word steps nowhere', () => {
  using page = bar(FOUND)
  fireEvent.keyDown(page.getByRole('searchbox'), { key: 'Enter', isComposing: true })
  expect(page.on.onStep).not.toHaveBeenCalled()
})

test('UI-30 without a match there is nothing to step through and no list', () => {
  using page = bar({ ...FOUND, total: 0, at: null, within: null }, true)
  for (const name of ['Next match', 'Previous match', 'All matches']) {
    expect(page.getByRole('button', { name }).hasAttribute('disabled')).toBe(true)
  }
  expect(page.queryByText('The list')).toBeNull()
})

test('UI-30 the list shows author, words and layer of each match, and where one is', () => {
  const onSelect = vi.fn()
  const matches: FindMatch[] = [
    { messageId: 'a', role: 'user', layer: 'summarised', pieces: ['of ', 'ink', ' and wax'] },
    { messageId: 'b', role: 'assistant', layer: 'visible', pieces: ['', 'Ink', ''] },
  ]
  using page = show(<FindList matches={matches} currentId="b" onSelect={onSelect} />)
  const rows = page.getAllByRole('button')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Youof ink and waxSummarised', 'ReplyInk'])
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true'])
  expect(page.container.querySelectorAll('mark')).toHaveLength(2)
  fireEvent.click(rows[0] ?? page.container)
  expect(onSelect.mock.calls).toEqual([['a']])
})

test('UI-30 what is typed is searched for, and the field takes no more than a search takes', () => {
  using page = bar(FOUND)
  const field = page.getByRole('searchbox', { name: 'Find in this chat' })
  fireEvent.change(field, { target: { value: 'wax' } })
  expect(page.on.onQueryChange).toHaveBeenCalledExactlyOnceWith('wax')
  expect(field).toHaveProperty('maxLength', LIMITS.searchCharacters)
  expect(field).toHaveProperty('value', 'ink')
})

test('UI-30 the list is opened and closed by one button that says whether it is open', () => {
  using page = bar(FOUND)
  const button = page.getByRole('button', { name: 'All matches' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(page.queryByText('The list')).toBeNull()
  fireEvent.click(button)
  expect(page.on.onListedChange).toHaveBeenCalledExactlyOnceWith(true)
})

test('UI-30 an open list is closed by the same button', () => {
  using page = bar(FOUND, true)
  const button = page.getByRole('button', { name: 'All matches' })
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(page.getByText('The list')).toBeDefined()
  fireEvent.click(button)
  expect(page.on.onListedChange).toHaveBeenCalledExactlyOnceWith(false)
})

test.each<[string, FindState]>([
  ['empty', { type: 'empty' }],
  ['searching', { type: 'searching' }],
  ['failed', { type: 'failed' }],
])(
  'UI-30 while a search is %s nothing is stepped through by button, and the bar can be closed',
  (_, state) => {
    using page = bar(state, true)
    for (const name of ['Next match', 'Previous match', 'All matches']) {
      expect(page.getByRole('button', { name })).toHaveProperty('disabled', true)
    }
    expect(page.queryByText('The list')).toBeNull()
    fireEvent.click(page.getByRole('button', { name: 'Close' }))
    expect(page.on.onClose).toHaveBeenCalledOnce()
  },
)

test('UI-30 Enter on a button presses the button and steps nowhere else', () => {
  using page = bar(FOUND)
  expect(fireEvent.keyDown(page.getByRole('button', { name: 'Close' }), { key: 'Enter' })).toBe(true)
  expect(page.on.onStep).not.toHaveBeenCalled()
})

test('UI-30 Esc closes the bar from a button too', () => {
  using page = bar(FOUND)
  expect(fireEvent.keyDown(page.getByRole('button', { name: 'Next match' }), { key: 'Escape' })).toBe(false)
  expect(page.on.onClose).toHaveBeenCalledOnce()
})

test('UI-30 Esc that ends the composition of a word closes nothing', () => {
  using page = bar(FOUND)
  fireEvent.keyDown(page.getByRole('searchbox'), { key: 'Escape', isComposing: true })
  expect(page.on.onClose).not.toHaveBeenCalled()
})

test.each(['a', 'ArrowDown', 'ArrowUp', 'Tab', 'Home', ' '])(
  'UI-30 the key %j is left to the field',
  (key) => {
    using page = bar(FOUND)
    expect(fireEvent.keyDown(page.getByRole('searchbox'), { key })).toBe(true)
    expect(page.on.onStep).not.toHaveBeenCalled()
    expect(page.on.onClose).not.toHaveBeenCalled()
  },
)

test('UI-25 the numbers of find follow the locale', () => {
  const found: FindState = {
    type: 'found',
    total: 1_200,
    more: true,
    at: { position: 1_100, layer: 'visible' },
    within: null,
  }
  const on = { onQueryChange: vi.fn(), onStep: vi.fn(), onClose: vi.fn(), onListedChange: vi.fn() }
  using page = show(
    <MessagesProvider messages={en} locale="de">
      <FindBar query="ink" state={found} listed={false} field={null} {...on}>
        <p>The list</p>
      </FindBar>
    </MessagesProvider>,
  )
  expect(page.getByRole('status').textContent).toBe('1.100 of 1.200 messages or more')
})

test('UI-30 the field is reached by the reference that the page holds', () => {
  const field = createRef<HTMLInputElement>()
  const on = { onQueryChange: vi.fn(), onStep: vi.fn(), onClose: vi.fn(), onListedChange: vi.fn() }
  using page = show(
    <FindBar query="" state={{ type: 'empty' }} listed={false} field={field} {...on}>
      {null}
    </FindBar>,
  )
  expect(field.current).toBe(page.getByRole('searchbox'))
})
