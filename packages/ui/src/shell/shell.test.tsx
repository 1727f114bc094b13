// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { en } from '../messages/en.ts'
import { MessagesProvider } from '../messages/messages-context.tsx'
import { CommandPalette } from '../palette/command-palette.tsx'
import { show } from '../testing/show.tsx'
import { AppShell } from './app-shell.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { NotFound } from './not-found.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

const shell = { narrow: false, sidebarVisible: true, toggleSidebar: vi.fn(), closeDrawer: vi.fn() }

test('UI-23 the page starts with a way past the sidebar', () => {
  using page = show(
    <AppShell shell={shell} sidebar={<nav />}>
      Words
    </AppShell>,
  )
  const skip = page.getByRole('link', { name: 'Skip to the conversation' })
  expect(skip.getAttribute('href')).toBe(`#${page.getByRole('main').id}`)
})

test('UI-24 on a narrow screen the sidebar is a drawer that closes', () => {
  const closeDrawer = vi.fn()
  using page = show(
    <AppShell shell={{ ...shell, narrow: true, closeDrawer }} sidebar={<nav aria-label="List" />}>
      Words
    </AppShell>,
  )
  fireEvent.keyDown(page.getByRole('dialog', { name: 'Chats' }), { key: 'Escape' })
  expect(closeDrawer).toHaveBeenCalledOnce()
})

test('UI-2 a first visit shows what to try, that the model is a demo, and how to add a real one', () => {
  const onSuggest = vi.fn()
  using page = show(
    <EmptyState
      demo
      addModelHref="/models"
      suggestions={[{ id: 's', title: 'Think aloud' }]}
      onSuggest={onSuggest}
      composer={null}
    />,
  )
  fireEvent.click(page.getByRole('button', { name: /Think aloud/ }))
  expect(onSuggest.mock.calls).toEqual([['s']])
  expect(page.getByText('You are using the demo model.')).toBeTruthy()
  expect(page.getByRole('link', { name: 'Add a real model' }).getAttribute('href')).toBe('/models')
})

test('UI-24 a finger, which has no Escape, closes the list of shortcuts by a button', () => {
  const onOpenChange = vi.fn()
  using page = show(<ShortcutsDialog open onOpenChange={onOpenChange} groups={[]} />)
  fireEvent.click(page.getByRole('button', { name: 'Close' }))
  expect(onOpenChange.mock.calls).toEqual([[false]])
})

test('UI-3 the palette finds a command by its words and runs it by keyboard', () => {
  const onRun = vi.fn()
  const other = vi.fn()
  const commands = [
    { id: 'a', label: 'New chat', group: 'Go', onRun: other },
    { id: 'b', label: 'Dark theme', group: 'Look', keywords: 'night', onRun },
  ]
  using page = show(<CommandPalette open onOpenChange={vi.fn()} commands={commands} />)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  fireEvent.change(field, { target: { value: 'nig' } })
  expect(page.getAllByRole('option')).toHaveLength(1)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onRun).toHaveBeenCalledOnce()
  expect(other).not.toHaveBeenCalled()
})

test('UI-3 shortcuts are listed with the keys of this machine', () => {
  const groups = [{ label: 'Everywhere', shortcuts: [{ keys: 'mod+k', label: 'Command palette' }] }]
  using page = show(<ShortcutsDialog open onOpenChange={vi.fn()} groups={groups} />)
  expect(page.getByRole('definition').textContent).toBe('CtrlK')
})

test('UI-4 a lost connection says that nothing is lost, and a working one says nothing', () => {
  using page = show(<ConnectionBanner state="reconnecting" onRetry={vi.fn()} />)
  expect(page.getByRole('status').textContent).toContain('Nothing is lost')
  page.rerender(<ConnectionBanner state="online" />)
  expect(page.getByRole('status').textContent).toBe('')
})

test('UI-4 an error and an unknown page say what to do next', () => {
  const onRetry = vi.fn()
  using page = show(<ErrorPanel message="No answer." onRetry={onRetry} />)
  fireEvent.click(page.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
  page.rerender(<NotFound homeHref="/" />)
  expect(page.getByRole('link', { name: 'Start a new chat' }).getAttribute('href')).toBe('/')
})

test('UI-23 a question with no way back starts on Cancel', async () => {
  const onConfirm = vi.fn()
  using page = show(
    <ConfirmDialog
      open
      onOpenChange={vi.fn()}
      title="Delete?"
      description="No way back."
      confirmLabel="Delete"
      onConfirm={onConfirm}
    />,
  )
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  fireEvent.click(page.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledOnce()
})

test('UI-25 another catalogue brings other words', () => {
  const messages = { ...en, notFound: { ...en.notFound, home: 'Neu beginnen' } }
  using page = show(
    <MessagesProvider messages={messages} locale="de">
      <NotFound homeHref="/" />
    </MessagesProvider>,
  )
  expect(page.getByText('Neu beginnen')).toBeTruthy()
})
