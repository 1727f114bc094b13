import type { Client } from '@palimpsest/client'
import { LIMITS } from '@palimpsest/core/domain'
import type { QuestionLine } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'

/** Pages of questions that are read at most: 20,000 questions. */
const PAGES = 100

/** The questions of a session, the first asked first, read again once something was sent or the history changed; null while loading. */
export function useQuestions({ sessionId, session, timeline, messages }: SessionState, enabled: boolean) {
  const { client } = useApp()
  const sent = messages.findLast(({ role }) => role === 'user')?.id
  const { data, isError, refetch } = useQuery<QuestionLine[]>({
    queryKey: ['questions', sessionId, timeline[0]?.id, sent],
    enabled: enabled && session !== null,
    placeholderData: (before, query) => (query?.queryKey[1] === sessionId ? before : undefined),
    queryFn: ({ signal }) => readAll(client(), sessionId, signal),
  })
  return { questions: data ?? null, failed: isError && data === undefined, retry: () => void refetch() }
}

async function readAll(client: Client, sessionId: string, signal: AbortSignal): Promise<QuestionLine[]> {
  const lines: QuestionLine[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES; page++) {
    const query = { sessionId, limit: LIMITS.pageSize, ...(cursor !== null && { cursor }) }
    const { items, nextCursor }: Awaited<ReturnType<typeof client.session.prompts.query>> =
      await client.session.prompts.query(query, { signal })
    lines.push(...items.map(({ layer, ...line }) => ({ ...line, summarised: layer === 'summarised' })))
    cursor = nextCursor
    if (cursor === null) break
  }
  return lines.reverse()
}
