import { IDLE, type Session } from '@palimpsest/core/domain'
import { Sidebar, type SidebarSession, useMessages } from '@palimpsest/ui'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { isUntitled, sentWords, versionName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import type { ListKind } from '../stores/session-list-state.ts'
import { useSearch } from './use-search.ts'
import type { SessionActions } from './use-session-actions.ts'
import { useWorkspace } from './workspace-context.tsx'

export type SidebarPanelProps = {
  actions: SessionActions
  onNewChat: () => void
  /** Called once something was chosen, for a sidebar that covers the page. */
  closeDrawer: () => void
  /** Open the command palette, and the list of shortcuts. */
  onCommands: () => void
  onHelp: () => void
  /** Below the search: what waits for the person. */
  head: ReactNode
  footer: ReactNode
}

/** The sidebar with what it lists: the chats, the archive, the bin, or what a search found. */
export function SidebarPanel(props: SidebarPanelProps) {
  const { actions, onNewChat, closeDrawer } = props
  const app = useApp()
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState<ListKind>('chats')
  const { wish, makeWish } = useWorkspace()
  useEffect(() => {
    if (wish !== 'bin') return
    setShown('bin')
    makeWish(null)
  }, [wish, makeWish])
  const { sessionId } = useStore(app.router)
  const { statuses } = useStore(app.chats)
  const { versions } = useMessages().history
  const store = app[shown]
  const list = useStore(store)
  const search = useSearch(query, shown, statuses)
  // A chat is listed before its first message has reached the server, which names it.
  const sentTo = useCallback(
    (session: Session) => {
      const page = isUntitled(session) ? app.sessions.peek(session.id) : null
      return page && sentWords(page.get())
    },
    [app],
  )
  const listed = useMemo<SidebarSession[]>(
    () =>
      list.sessions.map((session) => ({
        ...session,
        title: sentTo(session) ?? versionName(session, list.sessions, versions),
        status: statuses[session.id] ?? IDLE,
      })),
    [list.sessions, sentTo, statuses, versions],
  )
  const closing = useMemo(
    () => ({
      ...actions,
      onSelect(id: string, messageId?: string) {
        actions.onSelect(id, messageId)
        closeDrawer()
      },
    }),
    [actions, closeDrawer],
  )
  return (
    <Sidebar
      actions={closing}
      sessions={search.results ?? listed}
      selectedId={sessionId}
      loading={search.results === null ? list.phase !== 'ready' : search.loading}
      query={query}
      onQueryChange={setQuery}
      shown={shown}
      onShownChange={setShown}
      newChatHref="/"
      onNewChat={() => {
        onNewChat()
        closeDrawer()
      }}
      hasMore={search.results === null && list.nextCursor !== null}
      onLoadMore={() => void store.loadMore()}
      onCommands={() => {
        closeDrawer()
        props.onCommands()
      }}
      onHelp={() => {
        closeDrawer()
        props.onHelp()
      }}
      head={props.head}
      footer={props.footer}
    />
  )
}
