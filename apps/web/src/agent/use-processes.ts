import type { ChatMessage } from '@palimpsest/core/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'

/** Milliseconds between two looks at commands that run. */
const LOOK_MS = 2_000

const PROCESSES_QUERY = 'processes'

/**
 * The commands that a session has in the background, null until they are known. They are read when the chat opens, when a reply
 * started or stopped one, and at intervals as long as one runs.
 */
export function useProcesses({
  sessionId,
  messages,
  status,
}: Pick<SessionState, 'sessionId' | 'messages' | 'status'>) {
  const { client, toasts } = useApp()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [PROCESSES_QUERY, sessionId],
    queryFn: async () => (await client().process.list.query({ sessionId })).items,
    refetchInterval: (query) => (query.state.data?.some(({ exit }) => exit === null) ? LOOK_MS : false),
  })
  const touched = backgroundCalls(messages)
  const { state } = status
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may have changed what runs
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: [PROCESSES_QUERY, sessionId] })
  }, [queries, sessionId, touched, state])

  async function stop(processId: string): Promise<void> {
    await toasts.guard(client().process.stop.mutate({ sessionId, processId }))
    await queries.invalidateQueries({ queryKey: [PROCESSES_QUERY, sessionId] })
  }

  return { processes: data ?? null, error, retry: () => void refetch(), stop }
}

export type Process = NonNullable<ReturnType<typeof useProcesses>['processes']>[number]

/** How many calls in the last message have started or stopped a command in the background. */
export function backgroundCalls(messages: readonly ChatMessage[]): number {
  const parts = messages.at(-1)?.parts ?? []
  return parts.filter(
    (part) =>
      'toolCallId' in part &&
      part.state === 'output-available' &&
      (part.type === 'tool-bash_stop' || (part.type === 'tool-bash' && isBackground(part.input))),
  ).length
}

function isBackground(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'background' in input && input.background === true
}
