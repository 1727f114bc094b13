import { DEFAULT_TITLE } from '@palimpsest/core/domain'
import { SessionHeader } from '@palimpsest/ui'
import { HeaderHistory, HeaderLineage } from '../history/header-lineage.tsx'
import type { History } from '../history/use-history.tsx'
import { useApp } from '../shell/app-context.tsx'
import { useWorkspace } from '../shell/workspace-context.tsx'
import { words } from '../words/en.ts'
import type { SessionState } from './session-state.ts'

/** The bar over a thread. */
export function SessionBar({ state, history }: { state: SessionState; history: History }) {
  const { toasts } = useApp()
  const { actions } = useWorkspace()
  const { sessionId, session, status } = state

  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(new URL(actions.hrefFor(sessionId), window.location.href).href)
    toasts.add({ message: words.linkCopied })
  }

  return (
    <SessionHeader
      title={session?.title ?? DEFAULT_TITLE}
      status={status}
      archived={session?.archivedAt !== null && session !== null}
      lineage={<HeaderLineage lineage={history.lineage} />}
      actions={<HeaderHistory history={history} />}
      onRename={(title) => actions.onRename(sessionId, title)}
      onCopyLink={() => void copyLink()}
      onArchive={() => actions.onArchive(sessionId)}
      onUnarchive={() => actions.onUnarchive(sessionId)}
      onDelete={() => actions.onDelete(sessionId)}
    />
  )
}
