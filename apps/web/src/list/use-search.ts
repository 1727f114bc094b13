import { IDLE, type Session, type SessionStatus } from '@palimpsest/core/domain'
import { type SidebarSession, useMessages } from '@palimpsest/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { foundName } from '../session/version-name.ts'
import { useRested } from '../state/use-rested.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import type { ListKind } from '../stores/session-list-state.ts'
import { listQuery } from '../stores/session-list-store.ts'
import { foundText } from './found-text.ts'

/** Milliseconds of rest in typing before the server is asked. */
const REST_MS = 120
const RESULTS = 50

export type Search = { results: readonly SidebarSession[] | null; loading: boolean }

/** Chats whose title or messages hold the words; `results` is null while nothing is searched for. */
export function useSearch(
  text: string,
  kind: ListKind,
  statuses: Readonly<Record<string, SessionStatus>>,
): Search {
  const app = useApp()
  const { client } = app
  const { versions } = useMessages().history
  const { sessions: listed } = useStore(app[kind])
  const query = useRested(text.trim(), REST_MS)
  const search = useQuery({
    queryKey: ['search', query, kind],
    enabled: query !== '',
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const [sessions, messages] = await Promise.all([
        client().session.list.query({ search: query, ...listQuery(kind), limit: RESULTS }),
        client().search.messages.query({ text: query, limit: RESULTS }),
      ])
      return { sessions: sessions.items, hits: Map.groupBy(messages.items, ({ sessionId }) => sessionId) }
    },
  })
  if (text.trim() === '') return { results: null, loading: false }
  const family = familyOf(listed, search.data?.sessions ?? [])
  const toRow = (session: Session): SidebarSession => {
    const title = foundName(session, family, versions)
    const hit = search.data?.hits.get(session.id)?.[0]
    const found = hit && { messageId: hit.messageId, ...foundText(hit.snippet) }
    return { ...session, title, status: statuses[session.id] ?? IDLE, ...(found && { found }) }
  }
  return { results: (search.data?.sessions ?? []).map(toRow), loading: search.data === undefined }
}

/** All sessions that are known, each once. */
function familyOf(listed: readonly Session[], found: readonly Session[]): Session[] {
  return [...new Map([...found, ...listed].map((session) => [session.id, session])).values()]
}
