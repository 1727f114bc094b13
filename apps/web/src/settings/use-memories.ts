import type { Memory, MemoryScope, MemoryText } from '@palimpsest/core/domain'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'

export type MemoryDraft = MemoryText & { id?: string; scope: MemoryScope }

export type MemoryActions = {
  /** Writes a memory; a proposal is accepted by it. */
  write(draft: MemoryDraft): Promise<void>
  remove(id: string): Promise<void>
}

const MEMORIES_QUERY = ['memories'] as const
const SETTINGS_QUERY = ['settings'] as const
const PAGE = 100

/** The memories, page by page, and what can be done with them. */
export function useMemories() {
  const { client } = useApp()
  const queries = useQueryClient()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: MEMORIES_QUERY,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client().memory.list.query({ limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const changed = () => queries.invalidateQueries({ queryKey: MEMORIES_QUERY })
  const actions: MemoryActions = {
    async write(draft) {
      await client().memory.write.mutate(draft)
      await changed()
    },
    async remove(id) {
      await client().memory.delete.mutate({ id })
      await changed()
    },
  }
  const memories: Memory[] | null = data?.pages.flatMap(({ items }) => items) ?? null
  return {
    memories,
    error,
    retry: () => void refetch(),
    more: hasNextPage ? () => void fetchNextPage() : null,
    actions,
  }
}

/** Whether memories are proposed; null until it is known. */
export function useProposing() {
  const { client, toasts } = useApp()
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: SETTINGS_QUERY, queryFn: () => client().settings.get.query() })
  const set = async (proposeMemories: boolean) => {
    queries.setQueryData(SETTINGS_QUERY, await client().settings.set.mutate({ proposeMemories }))
  }
  return {
    proposing: data?.proposeMemories ?? null,
    setProposing: (on: boolean) => void toasts.guard(set(on)),
  }
}
