import { useMemo, useState } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { copyAndTell } from '../stores/copy-text.ts'
import { routePath } from '../stores/route.ts'
import { words } from '../words/en.ts'
import { exportSession } from './carry-session.ts'

type Named = { id: string; title: string }

export type SessionActions = {
  hrefFor(id: string, messageId?: string): string
  onSelect(id: string, messageId?: string): void
  onCopyLink(id: string): void
  onExport(id: string): void
  onRename(id: string, title: string): void
  onArchive(id: string): void
  onUnarchive(id: string): void
  /** Asks first. */
  onDelete(id: string): void
}

/** What can be done with a session from anywhere; `doomed` is the one that a person was asked about. */
export function useSessionActions(titleOf: (id: string) => string) {
  const app = useApp()
  const [doomed, setDoomed] = useState<Named | null>(null)
  const actions = useMemo<SessionActions>(() => {
    const { client, router, toasts } = app
    const restore = (sessionId: string) => void toasts.guard(client().session.unarchive.mutate({ sessionId }))
    return {
      hrefFor: (sessionId, messageId) => routePath({ sessionId, anchor: messageId ?? null }),
      onSelect: (sessionId, messageId) => router.push({ sessionId, anchor: messageId ?? null }),
      onCopyLink(sessionId) {
        const { href } = new URL(routePath({ sessionId, anchor: null }), window.location.href)
        void copyAndTell(toasts, href, words.linkCopied)
      },
      onExport: exportSession,
      onRename: (sessionId, title) => void toasts.guard(client().session.rename.mutate({ sessionId, title })),
      async onArchive(sessionId) {
        const title = titleOf(sessionId)
        if (!(await toasts.guard(client().session.archive.mutate({ sessionId })))) return
        const action = { label: words.undo, onAction: () => restore(sessionId) }
        toasts.add({ message: words.archived(title), action })
      },
      onUnarchive: restore,
      onDelete: (id) => setDoomed({ id, title: titleOf(id) }),
    }
  }, [app, titleOf])

  async function destroy(): Promise<void> {
    if (doomed === null) return
    const { client, router, toasts, drafts } = app
    const gone = await toasts.guard(client().session.delete.mutate({ sessionId: doomed.id }))
    if (!gone) return
    drafts.forget(doomed.id)
    if (router.get().sessionId === doomed.id) router.replace({ sessionId: null, anchor: null })
  }

  return { actions, doomed, spare: () => setDoomed(null), destroy }
}
