// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
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
    onRestore: vi.fn(),
    onPurge: vi.fn(),
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
      shown="chats"
      onShownChange={vi.fn()}
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
  const found = [
    sampleSession('x', { found: { messageId: 'msg', text: 'the words that were found', hit: 'words' } }),
  ]
  using page = show(sidebar({ sessions: found, query: 'words' }).element)
  const text = page.getByText((_, element) => element?.textContent === 'the words that were found')
  expect(text.querySelector('mark')?.textContent).toBe('words')
  expect(page.queryByRole('heading', { name: 'Today' })).toBeNull()
  expect(page.getByRole('status').textContent).toBe('1 chat found')
})

test('UI-4 the list says when it is empty, finds nothing, or loads', () => {
  using empty = show(sidebar({ sessions: [] }).element)
  expect(empty.getByText('No chats yet')).toBeTruthy()
  empty.rerender(sidebar({ sessions: [], query: 'ink' }).element)
  expect(empty.getByText('Nothing found for “ink”')).toBeTruthy()
  empty.rerender(sidebar({ sessions: [], shown: 'archive' }).element)
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

test('UI-1 a page that stays open over midnight moves yesterday’s chats', () => {
  vi.useFakeTimers({ now: new Date(2026, 5, 15, 23, 50) })
  using page = show(sidebar().element)
  expect(page.getByRole('heading', { name: 'Today' })).toBeTruthy()
  act(() => vi.advanceTimersByTime(11 * 60_000))
  expect(page.getByRole('heading', { name: 'Yesterday' })).toBeTruthy()
  expect(page.queryByRole('heading', { name: 'Today' })).toBeNull()
  vi.useRealTimers()
})

test('UI-1 Esc empties the search, and in an empty one is left to others', () => {
  const onQueryChange = vi.fn()
  const others = vi.fn()
  document.addEventListener('keydown', others)
  using page = show(sidebar({ query: 'ink', onQueryChange }).element)
  fireEvent.keyDown(page.getByRole('searchbox'), { key: 'Escape' })
  expect(onQueryChange.mock.calls).toEqual([['']])
  expect(others).not.toHaveBeenCalled()
  page.rerender(sidebar({ query: '', onQueryChange }).element)
  fireEvent.keyDown(page.getByRole('searchbox'), { key: 'Escape' })
  expect(others).toHaveBeenCalledOnce()
  document.removeEventListener('keydown', others)
})

test('UI-1 the search can be cleared with a pointer', () => {
  const onQueryChange = vi.fn()
  using page = show(sidebar({ query: 'ink', onQueryChange }).element)
  fireEvent.click(page.getByRole('button', { name: 'Clear search' }))
  expect(onQueryChange.mock.calls).toEqual([['']])
})

test('UI-1 a search that is only space is none', () => {
  using page = show(sidebar({ query: '  ' }).element)
  expect(page.getByRole('heading', { name: 'Today' })).toBeTruthy()
  expect(page.getByRole('status').textContent).toBe('')
})

test('UI-1 a chat that was found opens at the message', () => {
  const found = [sampleSession('x', { found: { messageId: 'msg', text: 'the words', hit: 'words' } })]
  const { actions, element } = sidebar({ sessions: found, query: 'words' })
  using page = show(element)
  fireEvent.click(page.getByRole('link', { name: /Title x/ }))
  expect(actions.onSelect.mock.calls).toEqual([['x', 'msg']])
})

test('UI-1 the archive has a way back, and its chats a way out', async () => {
  const onShownChange = vi.fn()
  const sessions = [sampleSession('a', { archivedAt: 1, updatedAt: Date.now() })]
  const { actions, element } = sidebar({ sessions, shown: 'archive', onShownChange })
  using page = show(element)
  expect(page.queryByRole('button', { name: 'More lists and help' })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Back to active chats' }))
  expect(onShownChange.mock.calls).toEqual([['chats']])
  fireEvent.click(page.getByRole('button', { name: 'Actions for Title a' }))
  fireEvent.click(await page.findByRole('menuitem', { name: 'Restore from archive' }))
  expect(actions.onUnarchive.mock.calls).toEqual([['a']])
})

test('UI-1 the menu of a chat archives and deletes that chat', async () => {
  const { actions, element } = sidebar()
  using page = show(element)
  for (const item of ['Archive', 'Delete…']) {
    fireEvent.click(page.getByRole('button', { name: 'Actions for Title c' }))
    fireEvent.click(await page.findByRole('menuitem', { name: item }))
  }
  expect(actions.onArchive.mock.calls).toEqual([['c']])
  expect(actions.onDelete.mock.calls).toEqual([['c']])
})

test('UI-1 the menu opens the field for the name, which keeps the focus', async () => {
  using page = show(sidebar().element)
  fireEvent.click(page.getByRole('button', { name: 'Actions for Title b' }))
  fireEvent.click(await page.findByRole('menuitem', { name: 'Rename' }))
  const field = await page.findByRole('textbox', { name: 'Name of the chat' })
  await vi.waitFor(() => expect(document.activeElement).toBe(field))
  expect(Reflect.get(field, 'value')).toBe('Title b')
})

test('UI-1 a name is kept when its field is left, and an empty one or the same is none', () => {
  const { actions, element } = sidebar()
  using page = show(element)
  const leaveWith = (value: string) => {
    fireEvent.keyDown(page.getByRole('link', { name: 'Title b' }), { key: 'F2' })
    const field = page.getByRole('textbox', { name: 'Name of the chat' })
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  }
  leaveWith('  ')
  leaveWith('Title b')
  leaveWith(' Oak galls ')
  expect(actions.onRename.mock.calls).toEqual([['b', 'Oak galls']])
})

test('UI-1 Enter of an input method saves no name', () => {
  const { actions, element } = sidebar()
  using page = show(element)
  fireEvent.keyDown(page.getByRole('link', { name: 'Title b' }), { key: 'F2' })
  const field = page.getByRole('textbox', { name: 'Name of the chat' })
  fireEvent.change(field, { target: { value: 'にほ' } })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(actions.onRename).not.toHaveBeenCalled()
  expect(page.queryByRole('textbox', { name: 'Name of the chat' })).not.toBeNull()
})

test('UI-1 a branch says that it is one, under the chat that it came from', () => {
  const now = Date.now()
  const sessions = [
    sampleSession('root', { updatedAt: now }),
    sampleSession('way', { parentId: 'root', updatedAt: now }),
  ]
  using page = show(sidebar({ sessions }).element)
  expect(page.getByRole('link', { name: /Title way/ }).querySelector('[aria-label="branch"]')).not.toBeNull()
  expect(page.getByRole('link', { name: /Title root/ }).querySelector('[aria-label="branch"]')).toBeNull()
})

test('UI-1 older chats are asked for where there are some', () => {
  const onLoadMore = vi.fn()
  using page = show(sidebar({ hasMore: true, onLoadMore }).element)
  fireEvent.click(page.getByRole('button', { name: 'Show older chats' }))
  expect(onLoadMore).toHaveBeenCalledOnce()
  page.rerender(sidebar({ hasMore: false, onLoadMore }).element)
  expect(page.queryByRole('button', { name: 'Show older chats' })).toBeNull()
})

test('UI-1 a new chat is begun here by a plain click, and in another tab by the browser', () => {
  const onNewChat = vi.fn()
  using page = show(sidebar({ onNewChat }).element)
  const link = page.getByRole('link', { name: /New chat/ })
  fireEvent.click(link)
  fireEvent.click(link, { metaKey: true })
  fireEvent.click(link, { button: 1 })
  expect(onNewChat).toHaveBeenCalledOnce()
})

test('UI-23 the last row that goes leaves the focus to the one before it', () => {
  using page = show(sidebar().element)
  page.getByRole('link', { name: 'Title c' }).focus()
  page.rerender(sidebar({ sessions: [sampleSession('a'), sampleSession('b')] }).element)
  expect(document.activeElement).toBe(page.getByRole('link', { name: 'Title b' }))
})

test('UI-23 a list that changes takes the focus from nothing else', () => {
  using page = show(sidebar().element)
  page.getByRole('link', { name: 'Title c' }).focus()
  page.getByRole('searchbox').focus()
  page.rerender(sidebar({ sessions: [sampleSession('a')] }).element)
  expect(document.activeElement).toBe(page.getByRole('searchbox'))
})

test('UI-23 UI-32 the bin takes the focus at the button that leads back, and that leads back to the menu of the lists', () => {
  using page = show(sidebar({ shown: 'chats' }).element)
  const focused = () => document.activeElement?.getAttribute('aria-label')
  expect(document.activeElement).toBe(document.body)
  for (const [shown, label] of [
    ['bin', 'Back to active chats'],
    ['chats', 'More lists and help'],
    ['archive', 'Back to active chats'],
    ['chats', 'More lists and help'],
  ] as const) {
    page.rerender(sidebar({ shown }).element)
    expect(focused()).toBe(label)
  }
})

test('UI-32 the bin is in the menu of the lists, and its rows say when they were deleted and what can be done', async () => {
  const onShownChange = vi.fn()
  using chats = show(sidebar({ onShownChange }).element)
  fireEvent.click(chats.getByRole('button', { name: 'More lists and help' }))
  fireEvent.click(await chats.findByRole('menuitem', { name: 'Show deleted chats' }))
  expect(onShownChange.mock.calls).toEqual([['bin']])
  chats[Symbol.dispose]()

  const deletedAt = Date.now() - 29.5 * 24 * 60 * 60 * 1000
  const sessions = [sampleSession('a', { deletedAt, updatedAt: deletedAt })]
  const { actions, element } = sidebar({ sessions, shown: 'bin' })
  using page = show(element)
  expect(page.getByText('Chats stay here for 30 days, then they are deleted forever.')).toBeTruthy()
  expect(page.getByText(/^Deleted .* · 1 day left$/)).toBeTruthy()
  expect(page.queryByRole('link', { name: /Title a/ })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Restore Title a' }))
  fireEvent.click(page.getByRole('button', { name: 'Delete Title a forever…' }))
  expect(actions.onRestore.mock.calls).toEqual([['a']])
  expect(actions.onPurge.mock.calls).toEqual([['a']])
  const later = Date.now() + 90_000
  using fresh = show(sidebar({ sessions: [sampleSession('n', { deletedAt: later })], shown: 'bin' }).element)
  expect(fresh.getByText(/· 30 days left$/)).toBeTruthy()
  using empty = show(sidebar({ sessions: [], shown: 'bin' }).element)
  expect(empty.getByText('The bin is empty')).toBeTruthy()
})

test('UI-3 a menu of the sidebar leads to the commands and to the shortcuts', async () => {
  const [onCommands, onHelp] = [vi.fn(), vi.fn()]
  using page = show(sidebar({ onCommands, onHelp }).element)
  for (const name of [/^Commands/, /^Keyboard shortcuts/]) {
    fireEvent.click(page.getByRole('button', { name: 'More lists and help' }))
    fireEvent.click(await page.findByRole('menuitem', { name }))
  }
  expect([onCommands.mock.calls.length, onHelp.mock.calls.length]).toEqual([1, 1])
})
