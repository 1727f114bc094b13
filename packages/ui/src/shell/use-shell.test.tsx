// @vitest-environment happy-dom
import { act, fireEvent, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { AppShell } from './app-shell.tsx'
import { SidebarToggle } from './sidebar-toggle.tsx'
import { type ShellOptions, useShellState } from './use-shell.tsx'

/** The state of a shell whose preference is kept, as a page keeps it. */
function keeping(collapsed = false) {
  const onCollapsedChange = vi.fn<ShellOptions['onCollapsedChange']>()
  const hook = renderHook((options: Partial<ShellOptions>) =>
    useShellState({ collapsed, onCollapsedChange, ...options }),
  )
  return { ...hook, onCollapsedChange }
}

test('UI-24 beside a wide page the sidebar goes and comes by the preference that is kept', () => {
  using _media = stubMedia(false)
  const { result, rerender, onCollapsedChange } = keeping()
  expect(result.current).toMatchObject({ narrow: false, sidebarVisible: true })
  act(() => result.current.toggleSidebar())
  expect(onCollapsedChange.mock.calls).toEqual([[true]])
  rerender({ collapsed: true })
  expect(result.current.sidebarVisible).toBe(false)
  act(() => result.current.toggleSidebar())
  expect(onCollapsedChange).toHaveBeenLastCalledWith(false)
})

test('UI-24 on a narrow screen the drawer begins closed, and the preference of wide ones is left alone', () => {
  using _media = stubMedia()
  const { result, onCollapsedChange } = keeping(false)
  expect(result.current).toMatchObject({ narrow: true, sidebarVisible: false })
  act(() => result.current.toggleSidebar())
  expect(result.current.sidebarVisible).toBe(true)
  act(() => result.current.closeDrawer())
  expect(result.current.sidebarVisible).toBe(false)
  expect(onCollapsedChange).not.toHaveBeenCalled()
})

test('UI-24 a choice in the list closes a drawer, and leaves a sidebar beside the page open', () => {
  using _media = stubMedia(false)
  const { result, onCollapsedChange } = keeping()
  act(() => result.current.closeDrawer())
  expect(result.current.sidebarVisible).toBe(true)
  expect(onCollapsedChange).not.toHaveBeenCalled()
})

test('UI-23 the button of the sidebar says which way it goes, and a sidebar that is away takes no focus', () => {
  const shell = { narrow: false, sidebarVisible: true, toggleSidebar: vi.fn(), closeDrawer: vi.fn() }
  const element = (visible: boolean) => (
    <AppShell shell={{ ...shell, sidebarVisible: visible }} sidebar={<nav aria-label="List" />}>
      <SidebarToggle />
    </AppShell>
  )
  using page = show(element(true))
  const open = page.getByRole('button', { name: 'Close sidebar' })
  expect(open.getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(open)
  expect(shell.toggleSidebar).toHaveBeenCalledOnce()
  page.rerender(element(false))
  expect(page.getByRole('button', { name: 'Open sidebar' }).getAttribute('aria-expanded')).toBe('false')
  expect(page.container.querySelector('nav')?.closest('[inert]')).toBeTruthy()
})

test('UI-23 outside a shell there is no sidebar to open', () => {
  using page = show(<SidebarToggle />)
  expect(page.container.textContent).toBe('')
})
