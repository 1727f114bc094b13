// @vitest-environment happy-dom
import type { SessionStatus } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CommandPalette } from '../palette/command-palette.tsx'
import type { PaletteCommand } from '../palette/palette-command.ts'
import { Kbd } from '../primitives/kbd.tsx'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { EmptyState } from './empty-state.tsx'
import { SessionHeader, type SessionHeaderProps } from './session-header.tsx'
import { StatusDot } from './status-dot.tsx'
import { ShellContext, useShellState } from './use-shell.tsx'

function header(props: Partial<SessionHeaderProps> = {}) {
  const on = {
    onRename: vi.fn(),
    onRenamingEnd: vi.fn(),
    onCopyLink: vi.fn(),
    onExport: vi.fn(),
    onArchive: vi.fn(),
    onUnarchive: vi.fn(),
    onDelete: vi.fn(),
  }
  const element = (more: Partial<SessionHeaderProps> = {}) => (
    <SessionHeader title="Iron gall" status={{ state: 'idle' }} {...on} {...props} {...more} />
  )
  return Object.assign(show(element()), { on, element })
}

test('UI-1 the title over a thread is changed in place by a click', () => {
  using page = header()
  fireEvent.click(page.getByRole('button', { name: 'Iron gall' }))
  const field = page.getByRole('textbox', { name: 'Name of the chat' })
  fireEvent.change(field, { target: { value: 'Oak gall' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(page.on.onRename.mock.calls).toEqual([['Oak gall']])
  expect(page.on.onRenamingEnd).toHaveBeenCalledOnce()
})

test.each([true, false])(
  'UI-24 New chat is in the header where the sidebar is a drawer (narrow: %s)',
  (narrow) => {
    const onNewChat = vi.fn()
    const shell = { narrow, sidebarVisible: !narrow, toggleSidebar: vi.fn(), closeDrawer: vi.fn() }
    using page = show(<ShellContext value={shell}>{header({ onNewChat }).element()}</ShellContext>)
    const button = page.queryAllByRole('button', { name: 'New chat' }).at(-1)
    expect(button !== undefined).toBe(narrow)
    if (button === undefined) return
    fireEvent.click(button)
    expect(onNewChat).toHaveBeenCalledOnce()
  },
)

test('SX-9 the bar names the folder that the chat works in, and its whole path on request', () => {
  using page = header({ workspace: '/srv/projects/iron-gall' })
  expect(page.getByText('iron-gall')).toBeTruthy()
  expect(page.getByTitle('Works in /srv/projects/iron-gall')).toBeTruthy()
  page.rerender(page.element({ workspace: '/' }))
  expect(page.getByTitle('Works in /').textContent).toContain('/')
  page.rerender(page.element({ workspace: undefined }))
  expect(page.queryByTitle(/Works in/)).toBe(null)
})

test('UI-1 a command from elsewhere opens the field for the title, and Esc closes it unchanged', () => {
  using page = header({ renaming: true })
  fireEvent.keyDown(page.getByRole('textbox', { name: 'Name of the chat' }), { key: 'Escape' })
  expect(page.on.onRename).not.toHaveBeenCalled()
  expect(page.on.onRenamingEnd).toHaveBeenCalledOnce()
})

test('UI-1 the menu of an archived chat restores it, that of another archives it', async () => {
  using page = header({ archived: true })
  expect(page.getByText('Archived')).toBeTruthy()
  const choose = async (name: string) => {
    fireEvent.click(page.getByRole('button', { name: 'Chat actions' }))
    fireEvent.click(await page.findByRole('menuitem', { name }))
  }
  await choose('Restore from archive')
  page.rerender(page.element({ archived: false }))
  await choose('Archive')
  await choose('Copy link')
  await choose('Delete…')
  expect(page.on.onUnarchive).toHaveBeenCalledOnce()
  expect(page.on.onArchive).toHaveBeenCalledOnce()
  expect(page.on.onCopyLink).toHaveBeenCalledOnce()
  expect(page.on.onDelete).toHaveBeenCalledOnce()
})

const running = { runId: 'run', startedAt: 0 }

test.each<[SessionStatus, string]>([
  [{ state: 'idle' }, ''],
  [{ state: 'busy', ...running }, 'Running'],
  [{ state: 'waiting', ...running, waitingOn: 'approval' }, 'Waiting for you'],
  [{ state: 'waiting', ...running, waitingOn: 'answer' }, 'Waiting for you'],
  [{ state: 'retrying', ...running, attempt: 1, message: '', retryAt: 0 }, 'Retrying'],
  [{ state: 'error', runId: 'run', code: 'INTERNAL', message: '' }, 'Failed'],
])('UI-1 the state %j is shown as “%s”', (status, word) => {
  using page = show(<StatusDot status={status} />)
  expect(page.container.textContent).toBe(word)
})

test('UI-4 without a network a page says so and offers no try, which would be in vain', () => {
  const onRetry = vi.fn()
  using page = show(<ConnectionBanner state="offline" onRetry={onRetry} />)
  expect(page.getByRole('status').textContent).toContain('You are offline')
  expect(page.queryByRole('button')).toBeNull()
  page.rerender(<ConnectionBanner state="reconnecting" onRetry={onRetry} />)
  fireEvent.click(page.getByRole('button', { name: 'Try now' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('UI-2 with a real model nothing is said of the demo', () => {
  using page = show(
    <EmptyState suggestions={[]} onSuggest={vi.fn()} composer="Field" greeting="Welcome back" />,
  )
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Welcome back')
  expect(page.container.textContent).not.toContain('demo')
})

const commands = (): PaletteCommand[] => [
  { id: 'a', label: 'New chat', group: 'Go', keys: 'mod+shift+o', onRun: vi.fn() },
  { id: 'b', label: 'Archive this chat', group: 'Chat', onRun: vi.fn() },
  { id: 'c', label: 'Old chat', group: 'Go', onRun: vi.fn() },
]

test('UI-3 the palette lists by group, and its keys go through what is seen in that order', () => {
  const list = commands()
  const onOpenChange = vi.fn()
  using page = show(<CommandPalette open onOpenChange={onOpenChange} commands={list} />)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  expect(page.getAllByRole('option').map((option) => option.id)).toHaveLength(3)
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  const active = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toBe('Old chat')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(list[2]?.onRun).toHaveBeenCalledOnce()
  expect(onOpenChange.mock.calls).toEqual([[false]])
})

test('UI-3 the palette says when nothing matches, and runs nothing then', () => {
  const list = commands()
  const onOpenChange = vi.fn()
  const onQueryChange = vi.fn()
  using page = show(
    <CommandPalette open onOpenChange={onOpenChange} commands={list} onQueryChange={onQueryChange} />,
  )
  const field = page.getByRole('combobox', { name: 'Command palette' })
  fireEvent.change(field, { target: { value: 'zzz' } })
  expect(onQueryChange.mock.calls).toEqual([['zzz']])
  expect(page.getByText('Nothing matches')).toBeTruthy()
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onOpenChange).not.toHaveBeenCalled()
  for (const { onRun } of list) expect(onRun).not.toHaveBeenCalled()
})

test('UI-3 a command that is clicked runs after the palette has closed', () => {
  const order: string[] = []
  const list = [{ id: 'a', label: 'New chat', group: 'Go', onRun: () => order.push('run') }]
  using page = show(<CommandPalette open onOpenChange={() => order.push('close')} commands={list} />)
  fireEvent.click(page.getByRole('option', { name: /New chat/ }))
  expect(order).toEqual(['close', 'run'])
})

test.each([
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)', '⌘⇧O'],
  ['another machine', 'Mozilla/5.0 (X11; Linux x86_64)', 'CtrlShiftO'],
])('UI-3 keys are named as on %s', (_, userAgent, shown) => {
  vi.stubGlobal('navigator', { ...navigator, userAgent })
  using page = show(<Kbd keys="mod+shift+o" />)
  expect(page.container.textContent).toBe(shown)
})

function ShellProbe({ collapsed, onCollapsedChange }: { collapsed: boolean; onCollapsedChange: () => void }) {
  const shell = useShellState({ collapsed, onCollapsedChange })
  return (
    <ShellContext value={shell}>
      <output>{shell.sidebarVisible ? 'open' : 'closed'}</output>
      <button type="button" onClick={shell.toggleSidebar}>
        Toggle
      </button>
      <button type="button" onClick={shell.closeDrawer}>
        Close
      </button>
    </ShellContext>
  )
}

test.each([
  [false, 'beside the page the sidebar is kept as it was left', ['open', 'open', 'open']],
  [
    true,
    'on a narrow screen it opens over the page and closes, and nothing is kept',
    ['closed', 'open', 'closed'],
  ],
])('UI-24 (narrow: %s) %s', (narrow, _, states) => {
  using _media = stubMedia(narrow)
  const onCollapsedChange = vi.fn()
  using page = show(<ShellProbe collapsed={false} onCollapsedChange={onCollapsedChange} />)
  const state = () => page.getByRole('status').textContent
  const seen = [state()]
  for (const name of ['Toggle', 'Close']) {
    act(() => fireEvent.click(page.getByRole('button', { name })))
    seen.push(state())
  }
  expect(seen).toEqual(states)
  expect(onCollapsedChange.mock.calls).toEqual(narrow ? [] : [[true]])
})
