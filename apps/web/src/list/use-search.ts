import { IDLE, type Session, type SessionStatus } from '@palimpsest/core/domain'
import type { SidebarSession } from '@palimpsest/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApp } from '../shell/app-context.tsx'

/** Milliseconds of rest in typing before the server is asked. */
const REST_MS = 120
const RESULTS = 50

export type Search = { results: readonly SidebarSession[] | null; loading: boolean }

/** Chats whose title or messages hold the words; `results` is null while nothing is searched for. */
export function useSearch(
  text: string,
  archived: boolean,
  statuses: Readonly<Record<string, SessionStatus>>,
): Search {
  const { client } = useApp()
  const query = useRested(text.trim())
  const search = useQuery({
    queryKey: ['search', query, archived],
    enabled: query !== '',
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const [sessions, messages] = await Promise.all([
        client().session.list.query({ search: query, archived, limit: RESULTS }),
        client().search.messages.query({ text: query, limit: RESULTS }),
      ])
      const snippets = new Map(messages.items.map((hit) => [hit.sessionId, plainSnippet(hit.snippet)]))
      return { sessions: sessions.items, snippets }
    },
  })
  if (text.trim() === '') return { results: null, loading: false }
  const toRow = (session: Session): SidebarSession => {
    const snippet = search.data?.snippets.get(session.id)
    return { ...session, status: statuses[session.id] ?? IDLE, ...(snippet !== undefined && { snippet }) }
  }
  return { results: (search.data?.sessions ?? []).map(toRow), loading: search.data === undefined }
}

/** The text around a hit without the marks that the server sets around the hit itself. */
function plainSnippet(snippet: string): string {
  return snippet.replaceAll('\u0002', '').replaceAll('\u0003', '')
}

function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
