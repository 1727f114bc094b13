import { isRunning, type ModelRef } from '@palimpsest/core/domain'
import { useMemo } from 'react'
import type { InputPart } from '../session/input-part.ts'
import type { SessionStore } from '../session/session-store.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { historyWords as words } from '../words/en-history.ts'

/** The commands of a session's run and queue. A failure is shown in a toast. */
export type SessionCommands = {
  stop(): void
  /** A new reply to a user message, or to the one before a reply. */
  resend(messageId: string, model?: ModelRef): void
  continue(): void
  /** False when the message could not be changed. */
  editQueued(messageId: string, parts: InputPart[]): Promise<boolean>
  cancelQueued(messageId: string): void
  reorderQueue(messageIds: string[]): void
  promote(messageId: string): void
}

export function useSessionCommands(store: SessionStore): SessionCommands {
  const { sessionApi, toasts } = useApp()
  return useMemo(() => {
    const { sessionId } = store.get()
    const run = (call: Promise<unknown>) => void toasts.guard(call)
    return {
      stop() {
        const { status } = store.get()
        if (isRunning(status)) run(sessionApi.abort(sessionId, status.runId))
      },
      resend(messageId, model) {
        const user = promptOf(store, messageId)
        if (user !== null) run(sessionApi.resend(sessionId, user, model ?? null))
      },
      continue: () => run(sessionApi.continue(sessionId)),
      editQueued: (messageId, parts) => toasts.guard(sessionApi.queue.edit(sessionId, messageId, { parts })),
      async cancelQueued(messageId) {
        if (!(await toasts.guard(sessionApi.queue.cancel(sessionId, messageId)))) return
        const onAction = () => run(sessionApi.queue.restore(sessionId, messageId))
        toasts.add({ message: words.queueRemoved, action: { label: words.undo, onAction } })
      },
      reorderQueue: (messageIds) => run(sessionApi.queue.reorder(sessionId, messageIds)),
      promote: (messageId) => run(sessionApi.queue.promote(sessionId, messageId)),
    }
  }, [store, sessionApi, toasts])
}

/** The user message that a message answers, or that it is. */
function promptOf(store: SessionStore, messageId: string): string | null {
  const messages = shownMessages(store.get())
  const index = messages.findIndex(({ id }) => id === messageId)
  return messages.slice(0, index + 1).findLast(({ role }) => role === 'user')?.id ?? null
}
