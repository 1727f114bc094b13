import { firstWords, isRunning, type ModelRef } from '@palimpsest/core/domain'
import { useMessages } from '@palimpsest/ui'
import { useMemo } from 'react'
import type { InputPart } from '../session/input-part.ts'
import type { SessionStore } from '../session/session-store.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { historyWords as words } from '../words/en-history.ts'

/** The commands of a session's run and queue. A failure is shown in a toast. */
export type SessionCommands = {
  /** Stops the reply. The next queued message is sent then, which a toast says. */
  stop(): void
  /** Stops the reply and keeps the queue, which waits for a person. */
  stopAll(): void
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
  const queueWords = useMessages().queue
  return useMemo(() => {
    const { sessionId } = store.get()
    const run = (call: Promise<unknown>) => void toasts.guard(call)
    const stopAll = () => run(sessionApi.abort(sessionId, null, { pauseQueue: true }))
    return {
      async stop() {
        const { status, queue } = store.get()
        if (!isRunning(status) || !(await toasts.guard(sessionApi.abort(sessionId, status.runId)))) return
        const [next] = queue
        if (next === undefined) return
        const action = { label: queueWords.stopAll, onAction: stopAll }
        toasts.add({ tone: 'info', message: queueWords.stoppedNext(firstWords(next.parts)), action })
      },
      stopAll,
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
  }, [store, sessionApi, toasts, queueWords])
}

/** The user message that a message answers, or that it is. */
function promptOf(store: SessionStore, messageId: string): string | null {
  const messages = shownMessages(store.get())
  const index = messages.findIndex(({ id }) => id === messageId)
  return messages.slice(0, index + 1).findLast(({ role }) => role === 'user')?.id ?? null
}
