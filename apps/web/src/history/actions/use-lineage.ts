import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Lineage } from '../../session/forks.ts'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'
import { familyMark } from './family-mark.ts'

/** The family of a session, updated with the list of chats; null until it is known. */
export function useLineage(sessionId: string, mark: string | null, exists: boolean): Lineage | null {
  const { client, chats } = useApp()
  const { sessions, gone } = useStore(chats)
  const known = useMemo(() => familyMark(sessions, sessionId), [sessions, sessionId])
  const { data } = useQuery({
    queryKey: ['tree', sessionId, mark, known],
    enabled: exists && gone[sessionId] === undefined,
    placeholderData: (before) => (before?.current === sessionId ? before : undefined),
    queryFn: () => client().session.tree.query({ sessionId }),
  })
  return data ?? null
}
