import { type SessionCursor, searchTerms } from '@palimpsest/core/domain'
import type { SessionQuery } from '@palimpsest/core/ports'
import type { ReadQueries } from '../connect/statements.ts'
import { after, type SessionFilter, type SessionPlace, sessionFilter } from '../sql/session-filter.ts'
import { matchExpression } from '../sqlite/search-index.ts'
import { lastMove, movedPast } from '../sqlite/session-moves.ts'
import { sessionsHolding, sessionsOf, thoseHolding } from '../sqlite/session-search.ts'

/** A page of ids, newest first, after rows that moved past the cursor; and where the next page begins. */
type SessionPage = { ids: string[]; next: SessionCursor | null }

export async function sessionPage(
  queries: ReadQueries,
  query: SessionQuery,
  cursor: SessionCursor | null,
): Promise<SessionPage> {
  const match = await searchExpression(queries, query)
  if (match === 'nothing') return { ids: [], next: null }
  const filter = sessionFilter(queries.dialect, query)
  const moved = cursor === null ? [] : await movedHere(queries, { cursor, filter, match })
  const late = moved.slice(0, query.limit)
  const remaining = query.limit - late.length
  const rest = await sessionsAfter(queries, { filter: after(filter, cursor), match, limit: remaining + 1 })
  const page = rest.slice(0, remaining)
  const ids = [...late, ...page].map(({ id }) => id)
  const last = page.at(-1) ?? cursor
  const unread = moved.length > late.length ? late.at(-1)?.move : undefined
  if (last === null || (unread === undefined && rest.length <= remaining)) return { ids, next: null }
  const { id, updatedAt } = last
  return { ids, next: { id, updatedAt, moves: unread ?? (await lastMove(queries)) } }
}

/** The search as the full text index takes it; null without one. */
async function searchExpression(
  queries: ReadQueries,
  { search }: SessionQuery,
): Promise<string | 'nothing' | null> {
  if (search === undefined) return null
  const terms = searchTerms(search)
  return terms === null ? 'nothing' : matchExpression(queries, terms, ['title', 'body'])
}

type Asked = { filter: SessionFilter; match: string | null }

async function movedHere(
  queries: ReadQueries,
  { cursor, filter, match }: Asked & { cursor: SessionCursor },
): Promise<{ id: string; move: number }[]> {
  const moved = await movedPast(queries, cursor, filter)
  return match === null ? moved : thoseHolding(queries, match, moved)
}

async function sessionsAfter(
  queries: ReadQueries,
  { filter, match, limit }: Asked & { limit: number },
): Promise<SessionPlace[]> {
  if (match !== null) return sessionsHolding(queries, { match, filter, limit })
  return sessionsOf(queries, { from: 'chat_sessions s', filter, limit, skip: 0 })
}
