import type { Session } from '@palimpsest/core/domain'
import { SessionHeader, useMessages } from '@palimpsest/ui'
import { SessionAgent } from '../agent/agent-parts.tsx'
import { HeaderHistory, HeaderLineage, MenuHistory } from '../history/header-lineage.tsx'
import type { History } from '../history/use-history.tsx'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { SessionState } from '../session/session-state.ts'
import { pageName, versionName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'

export type SessionBarProps = { state: SessionState; history: History }

/** The bar over a thread. */
export function SessionBar({ state, history }: SessionBarProps) {
  const { actions, newChat, wish, makeWish } = useWorkspace()
  const { versions } = useMessages().history
  const { sessionId, session, status } = state
  const listed = useListed(sessionId)
  const name = pageName(state, history.lineage, versions, versionName)
  return (
    <SessionHeader
      title={name ?? listed?.title ?? null}
      status={status}
      workspace={session?.workspaceRoot ?? undefined}
      keepsFiles={state.keepsFiles}
      archived={session?.archivedAt !== null && session !== null}
      lineage={<HeaderLineage lineage={history.lineage} />}
      actions={
        <>
          <SessionAgent state={state} />
          <HeaderHistory history={history} />
        </>
      }
      menu={<MenuHistory history={history} />}
      renaming={wish === 'rename'}
      onRenamingEnd={() => makeWish(null)}
      onNewChat={newChat}
      onRename={(title) => actions.onRename(sessionId, title)}
      onCopyLink={() => actions.onCopyLink(sessionId)}
      onExport={() => actions.onExport(sessionId)}
      onUnarchive={() => actions.onUnarchive(sessionId)}
      {...(session?.metadata.subagent === undefined && {
        onArchive: () => actions.onArchive(sessionId),
        onDelete: () => actions.onDelete(sessionId),
      })}
    />
  )
}

/** The session as the lists know it, before it has been read itself. */
function useListed(sessionId: string): Session | undefined {
  const app = useApp()
  const [chats, archive] = [useStore(app.chats), useStore(app.archive)]
  return [...chats.sessions, ...archive.sessions].find(({ id }) => id === sessionId)
}
