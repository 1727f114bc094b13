import { useQuery } from '@tanstack/react-query'
import type { SessionState } from '../../session/session-state.ts'
import type { App } from '../../stores/app.ts'
import { useApp } from '../../stores/app-context.tsx'

export type RestorePoint = Awaited<
  ReturnType<ReturnType<App['client']>['session']['restorePoints']['query']>
>[number]

/** The restore points of a session, the latest first, read again once something was sent or the history changed. */
export function useRestorePoints({ sessionId, session, timeline, messages }: SessionState, enabled: boolean) {
  const { client } = useApp()
  const sent = messages.findLast(({ role }) => role === 'user')?.id
  const { data } = useQuery({
    queryKey: ['restore-points', sessionId, timeline[0]?.id, sent],
    enabled: enabled && session !== null,
    placeholderData: (before, query) => (query?.queryKey[1] === sessionId ? before : undefined),
    queryFn: () => client().session.restorePoints.query({ sessionId }),
  })
  return data ?? NONE
}

const NONE: RestorePoint[] = []
