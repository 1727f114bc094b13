import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'

/** The versions of each visible message that has several; read again when the history or the session has changed. */
export function useMessageVersions({ sessionId, historyMark, session, timeline }: SessionState) {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['versions-of-messages', sessionId, historyMark, timeline[0]?.id, session?.revision],
    enabled: session !== null && timeline.length > 0,
    placeholderData: (before) => before,
    queryFn: () => client().session.threadVersions.query({ sessionId }),
  })
  return useMemo(() => new Map((data ?? []).map((found) => [found.messageId, found])), [data])
}
