import {
  AppShell,
  ConnectionBanner,
  preloadOnInteraction,
  ShortcutsDialog,
  type Theme,
  ThemeToggle,
  ToastRegion,
  useMessages,
  useShellState,
} from '@palimpsest/ui'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { SessionPage } from '../chat/session-page.tsx'
import { historyParts } from '../history/history-parts.tsx'
import { threadParts } from '../history/thread-parts.tsx'
import { DeleteDialogs } from '../list/delete-dialogs.tsx'
import { SidebarPanel } from '../list/sidebar-panel.tsx'
import { useSessionActions } from '../list/use-session-actions.ts'
import { type Dialogs, type Wish, WorkspaceProvider } from '../list/workspace-context.tsx'
import { foundName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { connectionOf } from '../stores/connection.ts'
import { applyTheme, keepPreference, SIDEBAR_COOKIE } from '../stores/preferences.ts'
import { ADD_MODEL_ANCHOR } from '../stores/route.ts'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { words } from '../words/en.ts'
import { shortcutGroups } from './shortcut-groups.ts'
import { AddModelDialog, ComparePage, PalettePanel, workspaceParts } from './workspace-parts.tsx'

export type WorkspaceProps = { initialTheme: Theme; initiallyCollapsed: boolean }

/** The frame of every chat page: sidebar, the session in front of it, and what opens over both. */
export function Workspace({ initialTheme, initiallyCollapsed }: WorkspaceProps) {
  const app = useApp()
  const route = useStore(app.router)
  const freshId = useStore(app.freshId)
  const [theme, setTheme] = useTheme(initialTheme)
  const shell = useShellState(useCollapsed(initiallyCollapsed))
  const [open, setOpen] = useState<keyof Dialogs | null>(null)
  const { versions } = useMessages().history
  const titleOf = useCallback(
    (id: string) => {
      const known = [...app.chats.get().sessions, ...app.archive.get().sessions, ...app.bin.get().sessions]
      const session = known.find((one) => one.id === id)
      return session === undefined ? words.thisChat : foundName(session, known, versions)
    },
    [app, versions],
  )
  const { actions, deletion } = useSessionActions(titleOf)
  const newChat = useCallback(() => app.router.push({ sessionId: null, anchor: null }), [app])
  const dialogs = useMemo<Dialogs>(
    () => ({ palette: () => setOpen('palette'), shortcuts: () => setOpen('shortcuts') }),
    [],
  )
  const [wish, makeWish] = useState<Wish | null>(null)
  const workspace = useMemo(
    () => ({ actions, dialogs, newChat, setTheme, wish, makeWish }),
    [actions, dialogs, newChat, setTheme, wish],
  )
  const toggle = (dialog: keyof Dialogs) => (isOpen: boolean) => setOpen(isOpen ? dialog : null)
  const { sessionId } = route
  useEffect(() => preloadOnInteraction([threadParts, historyParts, workspaceParts]), [])

  useShortcuts([
    { keys: 'mod+k', label: words.shortcuts.palette, run: dialogs.palette },
    { keys: 'mod+shift+o', label: words.shortcuts.newChat, run: newChat },
    { keys: 'mod+shift+s', label: words.shortcuts.sidebar, run: shell.toggleSidebar },
    { keys: '?', label: words.shortcuts.help, run: dialogs.shortcuts },
    { keys: 'mod+/', label: words.shortcuts.help, run: dialogs.shortcuts },
  ])

  return (
    <WorkspaceProvider value={workspace}>
      <AppShell
        shell={shell}
        banner={<Banner />}
        sidebar={
          <SidebarPanel
            actions={actions}
            onNewChat={newChat}
            closeDrawer={shell.closeDrawer}
            footer={<ThemeToggle theme={theme} onThemeChange={setTheme} />}
          />
        }
      >
        {route.compare === undefined ? (
          <SessionPage
            key={sessionId ?? freshId}
            sessionId={sessionId ?? freshId}
            fresh={sessionId === null}
          />
        ) : (
          <ComparePage compared={route.compare} />
        )}
      </AppShell>
      <PalettePanel open={open === 'palette'} onOpenChange={toggle('palette')} />
      <ShortcutsDialog
        open={open === 'shortcuts'}
        onOpenChange={toggle('shortcuts')}
        groups={shortcutGroups}
      />
      <AddModelDialog
        open={route.anchor === ADD_MODEL_ANCHOR}
        onClose={() => app.router.replace({ sessionId, anchor: null })}
      />
      <DeleteDialogs deletion={deletion} />
      <Toasts />
    </WorkspaceProvider>
  )
}

function Banner() {
  const connection = connectionOf(useStore(useApp().connection))
  return <ConnectionBanner state={connection === 'connecting' ? 'online' : connection} />
}

function Toasts() {
  const { toasts } = useApp()
  return <ToastRegion toasts={useStore(toasts)} onDismiss={toasts.dismiss} />
}

function useTheme(initial: Theme) {
  const [theme, setTheme] = useState(initial)
  const choose = useCallback((next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }, [])
  return [theme, choose] as const
}

function useCollapsed(initial: boolean) {
  const [collapsed, setCollapsed] = useState(initial)
  const onCollapsedChange = useCallback((next: boolean) => {
    keepPreference(SIDEBAR_COOKIE, next ? 'collapsed' : 'open')
    setCollapsed(next)
  }, [])
  return { collapsed, onCollapsedChange }
}
