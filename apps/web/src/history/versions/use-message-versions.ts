import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SessionState } from '../../session/session-state.ts'
import { useApp } from '../../stores/app-context.tsx'

/** The messages that were written at one place, and which of them this one is. */
type Place = { messageIds: readonly string[]; current: number }

/**
 * The versions of each message that has several; read again when the history or the session has changed. Until then a
 * version that has just been switched to is found under the others.
 */
export function useMessageVersions({ sessionId, historyMark, session, timeline }: SessionState) {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['versions-of-messages', sessionId, historyMark, timeline[0]?.id, session?.revision],
    enabled: session !== null && timeline.length > 0,
    placeholderData: (before) => before,
    queryFn: () => client().session.threadVersions.query({ sessionId }),
  })
  return useMemo(() => {
    const places = new Map<string, Place>()
    for (const { versions } of data ?? []) {
      const messageIds = versions.map(({ messageId }) => messageId)
      for (const [current, id] of messageIds.entries()) places.set(id, { messageIds, current })
    }
    return places
  }, [data])
}
