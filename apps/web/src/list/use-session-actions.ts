import { useMemo } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { copyAndTell } from '../stores/copy-text.ts'
import { routePath } from '../stores/route.ts'
import { words } from '../words/en.ts'
import { exportSession } from './carry-session.ts'
import { type Deletion, useDeletion } from './use-deletion.ts'

export type SessionActions = {
  hrefFor(id: string, messageId?: string): string
  onSelect(id: string, messageId?: string): void
  onCopyLink(id: string): void
  onExport(id: string): void
  onRename(id: string, title: string): void
  onArchive(id: string): void
  onUnarchive(id: string): void
} & Deletion['actions']

/** What can be done with a session from anywhere, and the deletion that a person was asked about. */
export function useSessionActions(titleOf: (id: string) => string) {
  const app = useApp()
  const deletion = useDeletion(titleOf)
  const deleting = deletion.actions
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
      onExport: (sessionId) => exportSession(sessionId, titleOf(sessionId)),
      onRename: (sessionId, title) => void toasts.guard(client().session.rename.mutate({ sessionId, title })),
      async onArchive(sessionId) {
        const title = titleOf(sessionId)
        if (!(await toasts.guard(client().session.archive.mutate({ sessionId })))) return
        const action = { label: words.undo, onAction: () => restore(sessionId) }
        toasts.add({ message: words.archived(title), action })
      },
      onUnarchive: restore,
      ...deleting,
    }
  }, [app, titleOf, deleting])

  return { actions, deletion }
}
