import type { ChatMessage } from '@palimpsest/core/domain'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Page } from '../../session/session-state.ts'
import { useApp } from '../../stores/app-context.tsx'

const FIRST_PAGE: Page['nextCursor'] = null

/** A session's cancelled messages, the last queued first: fetched while `open`, and again when its queue changes. */
export function useCancelled(sessionId: string, open: boolean, queue: readonly ChatMessage[]) {
  const { sessionApi, toasts } = useApp()
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    // A message that leaves or enters the queue may have been cancelled or restored.
    queryKey: ['cancelled', sessionId, queue.map(({ id }) => id)],
    enabled: open,
    placeholderData: keepPreviousData,
    initialPageParam: FIRST_PAGE,
    queryFn: ({ pageParam }) => sessionApi.queue.cancelled(sessionId, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const more = () => void toasts.guard(fetchNextPage({ throwOnError: true }))
  const restore = (messageId: string) => void toasts.guard(sessionApi.queue.restore(sessionId, messageId))
  return {
    messages: data?.pages.flatMap(({ items }) => items) ?? [],
    more: hasNextPage ? more : null,
    restore,
  }
}
