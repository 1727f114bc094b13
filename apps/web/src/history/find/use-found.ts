import type { Client } from '@palimpsest/client'
import { type ChatMessage, LIMITS, type SearchTerms, searchTerms } from '@palimpsest/core/domain'
import type { FindMatch, ThreadPlace } from '@palimpsest/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SessionState } from '../../session/session-state.ts'
import { useRested } from '../../state/use-rested.ts'
import { useApp } from '../../stores/app-context.tsx'

/** Milliseconds of rest in typing before the server is asked. */
const REST_MS = 120

/** Messages that are found at most. */
const MOST = 5 * LIMITS.pageSize

/** Marks that the server sets before and after each match of a snippet. */
const [START, END] = ['\u0002', '\u0003']

/** Requests of one search: pages are shorter where messages are long. */
const REQUESTS = 20

export type Found = {
  /** What was searched for. */
  text: string
  terms: SearchTerms | null
  /** In the order of the thread. */
  matches: readonly FindMatch[]
  /** True when earlier messages match as well. */
  more: boolean
}

/** The messages of a session that hold the words, hidden and summarised ones included; null while there is no answer. */
export function useFound(state: SessionState, query: string) {
  const { client } = useApp()
  const { sessionId, timeline, messages, status } = state
  const text = useRested(query.trim(), REST_MS)
  const version = [timeline[0]?.id, messages.at(-1)?.id, status.state].join(' ')
  const search = useQuery({
    queryKey: ['find', sessionId, text, version],
    enabled: text !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findAll(client(), { sessionId, text }, signal),
  })
  const isEmpty = query.trim() === ''
  return { found: isEmpty ? null : (search.data ?? null), failed: !isEmpty && search.isError }
}

async function findAll(
  client: Client,
  input: { sessionId: string; text: string },
  signal: AbortSignal,
): Promise<Found> {
  const matches: FindMatch[] = []
  let cursor: string | null = null
  let requests = 0
  do {
    const query = { ...input, limit: LIMITS.pageSize, ...(cursor !== null && { cursor }) }
    const page: { items: Hit[]; nextCursor: string | null } = await client.search.messages.query(query, {
      signal,
    })
    matches.push(...page.items.map(toMatch))
    cursor = page.nextCursor
    requests += 1
  } while (cursor !== null && matches.length < MOST && requests < REQUESTS)
  return {
    text: input.text,
    terms: searchTerms(input.text),
    matches: matches.reverse(),
    more: cursor !== null,
  }
}

type Hit = Omit<FindMatch, 'pieces'> & { snippet: string }

function toMatch({ messageId, role, layer, snippet }: Hit): FindMatch {
  return { messageId, role, layer, pieces: snippet.split(START).flatMap((piece) => piece.split(END)) }
}

/** The first match from a place in the thread on, else the last; without a place, the last. */
export function nearestMatch(
  matches: readonly FindMatch[],
  loaded: readonly ChatMessage[],
  place: ThreadPlace | null,
): FindMatch | null {
  const order = new Map(loaded.map(({ id }, at) => [id, at]))
  const from = place === null ? loaded.length : (order.get(place.messageId) ?? 0)
  const next = matches.find(({ messageId }) => (order.get(messageId) ?? -1) >= from)
  return next ?? matches.at(-1) ?? null
}
