// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleSession } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { Sidebar, type SidebarProps } from './sidebar.tsx'

function sidebar(props: Partial<SidebarProps> = {}) {
  const actions = {
    hrefFor: (id: string) => `/c/${id}`,
    onSelect: vi.fn(),
    onRename: vi.fn(),
    onArchive: vi.fn(),
    onUnarchive: vi.fn(),
    onDelete: vi.fn(),
  }
  const now = Date.now()
  const sessions = [
    sampleSession('a', { updatedAt: now, status: { state: 'busy', runId: 'run', startedAt: 0 } }),
    sampleSession('b', { updatedAt: now - 1 }),
    sampleSession('c', { updatedAt: now - 2 }),
  ]
  const element = (
    <Sidebar
      sessions={sessions}
      selectedId="b"
      query=""
      onQueryChange={vi.fn()}
      archived={false}
      onArchivedChange={vi.fn()}
      newChatHref="/"
      onNewChat={vi.fn()}
      actions={actions}
      {...props}
    />
  )
  return { actions, element }
}

test('UI-1 rows are links, the open session is the current one, states are words too', () => {
  using page = show(sidebar().element)
  expect(page.getByRole('link', { name: 'Title b' }).getAttribute('aria-current')).toBe('page')
  expect(page.getByRole('link', { name: /Title a/ }).getAttribute('href')).toBe('/c/a')
  expect(page.getByRole('link', { name: /Title a/ }).textContent).toContain('Running')
})

test('UI-1 a plain click selects in place, a modified one is the browser’s', () => {
  const { actions, element } = sidebar()
  using page = show(element)
  fireEvent.click(page.getByRole('link', { name: 'Title c' }))
  fireEvent.click(page.getByRole('link', { name: 'Title b' }), { ctrlKey: true })
  expect(actions.onSelect.mock.calls).toEqual([['c', undefined]])
})

test('UI-1 arrow keys, Home and End move between rows', () => {
  using page = show(sidebar().element)
  const row = (name: string) => page.getByRole('link', { name: new RegExp(name) })
  row('Title a').focus()
  for (const [key, name] of [
    ['ArrowDown', 'Title b'],
    ['End', 'Title c'],
    ['ArrowDown', 'Title c'],
    ['ArrowUp', 'Title b'],
    ['Home', 'Title a'],
  ] as const) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key })
    expect(document.activeElement).toBe(row(name))
  }
})

test('UI-1 the arrow down leads from the search to what it found', () => {
  using page = show(sidebar().element)
  fireEvent.keyDown(page.getByRole('searchbox'), { key: 'ArrowDown' })
  expect(document.activeElement).toBe(page.getByRole('link', { name: /Title a/ }))
})

test('UI-23 a row that goes leaves the focus to the one that comes to its place, a renamed one has it back', () => {
  using page = show(sidebar().element)
  const row = (name: string) => page.getByRole('link', { name: new RegExp(name) })
  row('Title b').focus()
  page.rerender(sidebar({ sessions: [sampleSession('a'), sampleSession('c')] }).element)
  expect(document.activeElement).toBe(row('Title c'))
  fireEvent.keyDown(row('Title c'), { key: 'F2' })
  fireEvent.keyDown(page.getByRole('textbox', { name: 'Name of the chat' }), { key: 'Escape' })
  expect(document.activeElement).toBe(row('Title c'))
})

test('UI-1 F2 renames in place: Enter keeps the new title, Esc the old one', () => {
  const { actions, element } = sidebar()
  using page = show(element)
  const rename = (value: string, key: string) => {
    fireEvent.keyDown(page.getByRole('link', { name: 'Title b' }), { key: 'F2' })
    const field = page.getByRole('textbox', { name: 'Name of the chat' })
    fireEvent.change(field, { target: { value } })
    fireEvent.keyDown(field, { key })
  }
  rename('Dropped', 'Escape')
  rename('Kept', 'Enter')
  expect(actions.onRename.mock.calls).toEqual([['b', 'Kept']])
})

test('UI-1 a search shows what was found without days and says how much', () => {
  const found = [sampleSession('x', { found: { messageId: 'msg', text: 'the words that were found' } })]
  using page = show(sidebar({ sessions: found, query: 'words' }).element)
  expect(page.getByText('the words that were found')).toBeTruthy()
  expect(page.queryByRole('heading', { name: 'Today' })).toBeNull()
  expect(page.getByRole('status').textContent).toBe('1 chat found')
})

test('UI-4 the list says when it is empty, finds nothing, or loads', () => {
  using empty = show(sidebar({ sessions: [] }).element)
  expect(empty.getByText('No chats yet')).toBeTruthy()
  empty.rerender(sidebar({ sessions: [], query: 'ink' }).element)
  expect(empty.getByText('Nothing found for “ink”')).toBeTruthy()
  empty.rerender(sidebar({ sessions: [], archived: true }).element)
  expect(empty.getByText('Nothing archived')).toBeTruthy()
  empty.rerender(sidebar({ sessions: [], loading: true }).element)
  expect(empty.queryByText('No chats yet')).toBeNull()
})

test('UI-1 the Enter that saves a name presses nothing else, such as what the focus goes back to', () => {
  using page = show(sidebar().element)
  fireEvent.doubleClick(page.getByRole('link', { name: 'Title b' }))
  const unused = fireEvent.keyDown(page.getByRole('textbox', { name: 'Name of the chat' }), { key: 'Enter' })
  expect(unused).toBe(false)
})
