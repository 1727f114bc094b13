import {
  AppShell,
  ConnectionBanner,
  preloadOnInteraction,
  type Theme,
  ToastRegion,
  useMessages,
  useShellState,
} from '@palimpsest/ui'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { sessionBarParts } from '../chat/session-bar-parts.tsx'
import { SessionPage } from '../chat/session-page.tsx'
import { askParts } from '../composer/ask-parts.tsx'
import { pictureFitting } from '../composer/use-draft.ts'
import { historyParts } from '../history/history-parts.tsx'
import { threadParts } from '../history/thread/thread-parts.tsx'
import { DeleteDialogs } from '../list/delete-dialogs.tsx'
import { SidebarPanel } from '../list/sidebar-panel.tsx'
import { useSessionActions } from '../list/use-session-actions.ts'
import { type Dialogs, type Wish, WorkspaceProvider } from '../list/workspace-context.tsx'
import { foundName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { connectionOf } from '../stores/connection.ts'
import { applyTheme, keepPreference, SIDEBAR_COOKIE } from '../stores/preferences.ts'
import type { SettingsSection } from '../stores/route.ts'
import { uploadTransport } from '../stores/uploads.ts'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { words } from '../words/en.ts'
import { AttentionWatch, WaitingEntry } from './attention-parts.tsx'
import { SettingsLink } from './settings-link.tsx'
import { useSettingsLinks } from './use-settings-links.ts'
import {
  ComparePage,
  InspectPage,
  PalettePanel,
  SettingsPage,
  ShortcutsHelp,
  workspaceParts,
} from './workspace-parts.tsx'

export type WorkspaceProps = { initialTheme: Theme; initiallyCollapsed: boolean }

const PRELOADED = [
  sessionBarParts,
  askParts,
  threadParts,
  historyParts,
  workspaceParts,
  uploadTransport,
  pictureFitting,
]

/** The frame of every chat page: sidebar, the session in front of it, and what opens over both. */
export function Workspace({ initialTheme, initiallyCollapsed }: WorkspaceProps) {
  const app = useApp()
  const route = useStore(app.router)
  const freshId = useStore(app.freshId)
  const { language: locale } = useStore(app.language.state)
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
  const openSettings = useCallback(
    (settings: SettingsSection) => {
      // What is open on the page that is left does not open again on the way back.
      makeWish(null)
      app.router.push({ sessionId: null, anchor: null, settings })
    },
    [app],
  )
  const openInspect = useCallback(
    (inspect: string) => {
      makeWish(null)
      app.router.push({ sessionId: null, anchor: null, inspect })
    },
    [app],
  )
  useSettingsLinks(openSettings)
  const before = useRef(route)
  useEffect(() => {
    if (route.settings === undefined) before.current = route
  }, [route])
  const leaveSettings = useCallback(() => {
    const { settings: _, ...last } = before.current
    app.router.push(last)
  }, [app])
  const { toggleSidebar, sidebarVisible } = shell
  const openBin = useCallback(() => {
    makeWish('bin')
    if (!sidebarVisible) toggleSidebar()
  }, [sidebarVisible, toggleSidebar])
  const workspace = useMemo(
    () => ({
      actions,
      dialogs,
      newChat,
      openSettings,
      openInspect,
      leaveSettings,
      openBin,
      theme,
      setTheme,
      wish,
      makeWish,
    }),
    [actions, dialogs, newChat, openSettings, openInspect, leaveSettings, openBin, theme, setTheme, wish],
  )
  const toggle = (dialog: keyof Dialogs) => (isOpen: boolean) => setOpen(isOpen ? dialog : null)
  const { sessionId } = route
  useEffect(() => preloadOnInteraction(PRELOADED), [])

  useShortcuts([
    { keys: 'mod+k', label: words.shortcuts.palette, run: dialogs.palette },
    { keys: 'mod+shift+o', label: words.shortcuts.newChat, run: newChat },
    { keys: 'mod+shift+s', label: words.shortcuts.sidebar, run: shell.toggleSidebar },
    { keys: 'mod+,', label: words.shortcuts.settings, run: () => openSettings('general') },
    { keys: '?', label: words.shortcuts.help, run: dialogs.shortcuts },
    { keys: 'mod+/', label: words.shortcuts.help, run: dialogs.shortcuts },
  ])

  return (
    // Texts are read anew in another language: everything below is drawn again.
    <WorkspaceProvider key={locale} value={workspace}>
      <AppShell
        shell={shell}
        banner={<Banner />}
        sidebar={
          <SidebarPanel
            actions={actions}
            onNewChat={newChat}
            closeDrawer={shell.closeDrawer}
            onCommands={dialogs.palette}
            onHelp={dialogs.shortcuts}
            head={<WaitingEntry onOpen={shell.closeDrawer} />}
            footer={<SettingsLink current={route.settings !== undefined} onFollow={shell.closeDrawer} />}
          />
        }
      >
        {route.settings !== undefined ? (
          <SettingsPage section={route.settings} />
        ) : route.inspect !== undefined ? (
          <InspectPage key={route.inspect} sessionId={route.inspect} />
        ) : route.compare === undefined ? (
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
      <ShortcutsHelp open={open === 'shortcuts'} onOpenChange={toggle('shortcuts')} />
      <AttentionWatch />
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
