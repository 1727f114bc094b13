// @vitest-environment happy-dom
import { createEvent, fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { SessionHeader } from './session-header.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { SidebarDrawer } from './sidebar-drawer.tsx'
import { BareBar, SidebarOpener } from './sidebar-toggle.tsx'
import { useHarmlessDrops } from './use-harmless-drops.ts'
import { type Shell, ShellContext } from './use-shell.tsx'

const shellOf = (facts: Partial<Shell>): Shell => ({
  narrow: false,
  sidebarVisible: true,
  toggleSidebar: vi.fn(),
  closeDrawer: vi.fn(),
  ...facts,
})

test.each<[narrow: boolean, visible: boolean, offered: boolean]>([
  [false, true, false],
  [false, false, true],
  [true, false, true],
  [true, true, true],
])(
  'UI-24 (narrow: %s, sidebar: %s) a page offers to open the sidebar: %s',
  (narrow, sidebarVisible, offered) => {
    const shell = shellOf({ narrow, sidebarVisible })
    using page = show(
      <ShellContext value={shell}>
        <SidebarOpener />
      </ShellContext>,
    )
    expect(page.queryByRole('button') !== null).toBe(offered)
  },
)

test('UI-24 a page without a title has a bar whose button opens the sidebar', () => {
  const shell = shellOf({ sidebarVisible: false })
  using page = show(
    <ShellContext value={shell}>
      <BareBar />
    </ShellContext>,
  )
  fireEvent.click(page.getByRole('button', { name: 'Open sidebar' }))
  expect(shell.toggleSidebar).toHaveBeenCalledOnce()
})

test('UI-24 a drawer is a dialog that is named, and closes by Esc', async () => {
  const shell = shellOf({ narrow: true })
  using page = show(<SidebarDrawer shell={shell}>Chats of the week</SidebarDrawer>)
  const drawer = await page.findByRole('dialog', { name: 'Chats' })
  expect(drawer.textContent).toContain('Chats of the week')
  fireEvent.keyDown(drawer, { key: 'Escape' })
  expect(shell.closeDrawer).toHaveBeenCalledOnce()
  expect(shell.toggleSidebar).not.toHaveBeenCalled()
})

test('UI-24 a drawer that is closed holds no list that a key could reach', () => {
  using page = show(
    <SidebarDrawer shell={shellOf({ narrow: true, sidebarVisible: false })}>Chats</SidebarDrawer>,
  )
  expect(page.queryByText('Chats')).toBeNull()
})

test('UI-3 shortcuts are under the heading of their group, each with its own keys', () => {
  const groups = [
    { label: 'Everywhere', shortcuts: [{ keys: 'mod+k', label: 'Commands' }] },
    {
      label: 'Writing',
      shortcuts: [
        { keys: 'enter', label: 'Send' },
        { keys: 'shift+enter', label: 'New line' },
      ],
    },
  ]
  using page = show(<ShortcutList groups={groups} />)
  expect(page.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'Everywhere',
    'Writing',
  ])
  expect(page.getAllByRole('term').map((term) => term.textContent)).toEqual(['Commands', 'Send', 'New line'])
  expect(page.getAllByRole('definition').map((keys) => keys.textContent)).toEqual([
    'CtrlK',
    'Enter',
    'ShiftEnter',
  ])
})

test('UI-3 one shortcut for two things is listed for both', () => {
  const shortcuts = [
    { keys: 'esc', label: 'Stop' },
    { keys: 'esc', label: 'Close' },
  ]
  using page = show(<ShortcutList groups={[{ label: 'Keys', shortcuts }]} />)
  expect(page.getAllByRole('term').map((term) => term.textContent)).toEqual(['Stop', 'Close'])
})

function Drops() {
  useHarmlessDrops()
  return <p>Page</p>
}

/** Returns whether the browser may act on what is dragged itself. */
function drag(target: Element, type: 'dragOver' | 'drop', types: string[]) {
  const event = createEvent[type](target)
  Object.defineProperty(event, 'dataTransfer', { value: { types } })
  return fireEvent(target, event)
}

test.each(['dragOver', 'drop'] as const)(
  'UI-33 the browser opens no file of a %s that nothing takes',
  (type) => {
    const page = show(<Drops />)
    const text = page.getByText('Page')
    expect(drag(text, type, ['Files'])).toBe(false)
    expect(drag(text, type, ['text/plain', 'Files'])).toBe(false)
    expect(drag(text, type, ['text/plain'])).toBe(true)
    page.unmount()
    expect(drag(document.body, type, ['Files'])).toBe(true)
    document.body.replaceChildren()
  },
)

test('UI-4 the region of the connection is there before anything is lost, so that it is announced', () => {
  using page = show(<ConnectionBanner state="online" />)
  const region = page.getByRole('status')
  page.rerender(<ConnectionBanner state="offline" />)
  expect(page.getByRole('status')).toBe(region)
  expect(region.textContent).toContain('Nothing is lost')
})

test('UI-4 a page that cannot try again by itself offers no try', () => {
  using page = show(<ConnectionBanner state="reconnecting" />)
  expect(page.queryByRole('button')).toBeNull()
})

test('UI-4 an error is announced, with a title of its own and the actions beside the retry', () => {
  using page = show(<ErrorPanel title="No chat" message="It is gone." actions={<a href="/">Home</a>} />)
  expect(page.getByRole('alert').textContent).toBe('No chatIt is gone.Home')
  expect(page.queryByRole('button', { name: 'Try again' })).toBeNull()
  page.rerender(<ErrorPanel message="It is gone." />)
  expect(page.getByRole('heading', { level: 2 }).textContent).toBe('Something went wrong')
})

test('UI-2 suggestions are in their order, and each gives its own id', () => {
  const onSuggest = vi.fn()
  const suggestions = ['a', 'b', 'c'].map((id) => ({ id, title: `Title ${id}` }))
  using page = show(<EmptyState suggestions={suggestions} onSuggest={onSuggest} composer="Field" />)
  const list = page.getByRole('list', { name: 'Suggestions' })
  const buttons = [...list.querySelectorAll('button')]
  expect(buttons.map((button) => button.textContent)).toEqual(['Title a', 'Title b', 'Title c'])
  for (const button of buttons.toReversed()) fireEvent.click(button)
  expect(onSuggest.mock.calls.flat()).toEqual(['c', 'b', 'a'])
})

test('UI-44 what is known late of a new chat is below all else, so that nothing moves', () => {
  const suggestions = [{ id: 'a', title: 'Title a' }]
  const chat = (demo: boolean) => (
    <EmptyState demo={demo} suggestions={suggestions} onSuggest={vi.fn()} composer="Field" />
  )
  using page = show(chat(false))
  const before = page.container.textContent
  page.rerender(chat(true))
  expect(page.container.textContent?.startsWith(before ?? '')).toBe(true)
  expect(page.container.textContent).toContain('You are using the demo model.')
})

test('UI-2 a demo model without a page on adding one is labelled, and links nowhere', () => {
  using page = show(<EmptyState demo suggestions={[]} onSuggest={vi.fn()} composer={null} />)
  expect(page.getByText('You are using the demo model.')).toBeTruthy()
  expect(page.queryByRole('link')).toBeNull()
})

const folder = (path: string) => {
  const on = { onRename: vi.fn(), onCopyLink: vi.fn(), onExport: vi.fn() }
  const list = { onArchive: vi.fn(), onUnarchive: vi.fn(), onDelete: vi.fn() }
  return <SessionHeader title={null} status={{ state: 'idle' }} workspace={path} {...on} {...list} />
}

test.each([
  ['/srv/iron-gall', 'iron-gall'],
  ['/srv/iron-gall/', 'iron-gall'],
  ['/srv//iron gall//', 'iron gall'],
  ['C:\\Users\\me\\oak', 'oak'],
  ['C:\\Users\\me/mixed\\', 'mixed'],
  ['relative', 'relative'],
  ['/', '/'],
])('SX-9 the folder %s is named %s', (path, name) => {
  using page = show(folder(path))
  expect(page.getByTitle(`Works in ${path}`).querySelector('[aria-hidden]')?.textContent).toBe(name)
})

test('SX-9 a folder always has a name, which is a piece of its path', () => {
  const paths = fc.string({
    unit: fc.constantFrom('/', '\\', 'a', '.', ' ', 'ß'),
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(paths, (path) => {
      using page = show(folder(path))
      const name = page.container.querySelector('[title^="Works in"] [aria-hidden]')?.textContent ?? ''
      expect(name).not.toBe('')
      expect(path).toContain(name)
    }),
    { numRuns: 30 },
  )
})

test('UI-4 a title that is not known yet has its place, and neither a heading nor a field', () => {
  using page = show(folder('/srv'))
  expect(page.queryByRole('heading')).toBeNull()
  expect(page.queryByRole('textbox')).toBeNull()
  expect(page.container.querySelector('.skeleton')).not.toBeNull()
})
