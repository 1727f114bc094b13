import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'

/** The messages that take the most of it; fetched as its content is. */
export function useHeaviest(sessionId: string, open: boolean, used: number | undefined) {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['heaviest', sessionId, used],
    enabled: open && used !== undefined,
    placeholderData: keepPreviousData,
    queryFn: () => client().session.heaviest.query({ sessionId }),
  })
  return data ?? null
}

/**
 * What a session's window is made of: fetched while `open`, and again when another number of tokens was counted.
 * Null without an answer: the breakdown then shows all but this.
 */
export function useWindowContent(sessionId: string, open: boolean, used: number | undefined) {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['window-content', sessionId, used],
    enabled: open && used !== undefined,
    placeholderData: keepPreviousData,
    queryFn: () => client().session.content.query({ sessionId }),
  })
  return data ?? null
}
