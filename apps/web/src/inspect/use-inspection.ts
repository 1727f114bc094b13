import type { InspectedMessage, InspectedRow } from '@palimpsest/core/domain'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'

const INSPECT_QUERY = 'inspect'

type Page<T> = { items: T[]; nextCursor: string | null }

export type Inspected<T> = {
  /** In order; null until the newest page is read. */
  items: readonly T[] | null
  error: unknown
  retry: () => void
  /** Reads the page before; null when there is none. */
  earlier: (() => void) | null
}

/** The messages of a session with their steps, the newest page first. */
export function useInspectedMessages(sessionId: string): Inspected<InspectedMessage> {
  const { client } = useApp()
  return usePages([INSPECT_QUERY, sessionId, 'messages'], (cursor) =>
    client().inspect.messages.query({ sessionId, ...cursor }),
  )
}

/** The rows of a session. */
export function useInspectedRows(sessionId: string): Inspected<InspectedRow> {
  const { client } = useApp()
  return usePages([INSPECT_QUERY, sessionId, 'rows'], (cursor) =>
    client().inspect.rows.query({ sessionId, ...cursor }),
  )
}

/** The session itself, with its sums. */
export function useInspectedSession(sessionId: string) {
  const { client } = useApp()
  return useQuery({
    queryKey: [INSPECT_QUERY, sessionId, 'session'],
    gcTime: 0,
    queryFn: () => client().session.get.query({ sessionId }),
  })
}

/** The system prompt of a reply and its tools, once they are asked for. */
export function useInspectedPrompt(sessionId: string, messageId: string, wanted: boolean) {
  const { client } = useApp()
  return useQuery({
    queryKey: [INSPECT_QUERY, sessionId, 'prompt', messageId],
    enabled: wanted,
    gcTime: 0,
    queryFn: async () => {
      const [prompt, tools] = await Promise.all([
        client().session.systemPrompt.query({ sessionId, messageId }),
        client().inspect.tools.query({ sessionId, messageId }),
      ])
      return { prompt, tools }
    },
  })
}

/** Reads all that is shown of a session again. */
export function useReadAgain(sessionId: string): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: [INSPECT_QUERY, sessionId] })
}

function usePages<T>(
  queryKey: readonly string[],
  read: (cursor: { cursor?: string }) => Promise<Page<T>>,
): Inspected<T> {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    gcTime: 0,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => read(pageParam === null ? {} : { cursor: pageParam }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return {
    items: data?.pages.toReversed().flatMap(({ items }) => items) ?? null,
    error,
    retry: () => void refetch(),
    earlier: hasNextPage ? () => void fetchNextPage() : null,
  }
}
