import type { ChatMessage } from '@palimpsest/core/domain'
import { useCallback, useEffect, useState } from 'react'
import type { Page } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'

const NONE: Page = { items: [], nextCursor: null }

/** A session's cancelled messages, the last queued first: fetched while `open`, and again when its queue changes. */
export function useCancelled(sessionId: string, open: boolean, queue: readonly ChatMessage[]) {
  const { sessionApi, toasts } = useApp()
  const [page, setPage] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the queue may be a cancelled message.
  useEffect(() => {
    if (!open) return
    let left = false
    sessionApi.queue.cancelled(sessionId, null).then(
      (first) => left || setPage(first),
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [sessionApi, sessionId, open, queue])

  const more = useCallback(async () => {
    const next = sessionApi.queue.cancelled(sessionId, page.nextCursor)
    if (!(await toasts.guard(next))) return
    const { items, nextCursor } = await next
    setPage((before) => ({ items: [...before.items, ...items], nextCursor }))
  }, [sessionApi, toasts, sessionId, page.nextCursor])

  const restore = useCallback(
    (messageId: string) => void toasts.guard(sessionApi.queue.restore(sessionId, messageId)),
    [sessionApi, toasts, sessionId],
  )

  return { messages: page.items, more: page.nextCursor === null ? null : more, restore }
}
