import type { Queries } from '../connect/queries.ts'
import { inSessions } from './search-index.ts'
import { NEWEST_FIRST, type SessionFilter, type SessionPlace } from './session-filter.ts'

/** Terms in at most so many texts are rare: all of these are looked at. */
const RARE = 20_000

/** Common terms are sought in the first sessions of the list, so many at a time, and so many times. */
const ASKED = 256
const TIMES = 4

const MATCHING = `SELECT DISTINCT e.session_id FROM search_index i CROSS JOIN search_entries e ON e.id = i.rowid
  WHERE search_index MATCH ?`

/**
 * The first `limit` sessions of a list that hold the terms. With common terms the list's first sessions most likely
 * do, so they are asked; looking at every text that matches is left for rare terms, and for those common long ago.
 */
export async function sessionsHolding(
  queries: Queries,
  { match, filter, limit }: { match: string; filter: SessionFilter; limit: number },
): Promise<SessionPlace[]> {
  const found: SessionPlace[] = []
  if (await isCommon(queries, match)) {
    for (let time = 0; time < TIMES; time++) {
      const asked = await sessionsOf(queries, {
        from: 'chat_sessions s',
        filter,
        limit: ASKED,
        skip: ASKED * time,
      })
      found.push(...(await thoseHolding(queries, match, asked)))
      if (found.length >= limit || asked.length < ASKED) return found.slice(0, limit)
    }
  }
  const from = `(${MATCHING}) found CROSS JOIN chat_sessions s ON s.id = found.session_id`
  const { where, values } = filter
  return sessionsOf(queries, { from, filter: { where, values: [match, ...values] }, limit, skip: 0 })
}

/** Those of some sessions that hold the terms. */
export async function thoseHolding<T extends { id: string }>(
  queries: Queries,
  match: string,
  sessions: T[],
): Promise<T[]> {
  if (sessions.length === 0) return []
  const ids = sessions.map(({ id }) => id)
  const rows = await queries.$queryRawUnsafe<{ session_id: string }[]>(MATCHING, inSessions(match, ids))
  const holding = new Set(rows.map((row) => row.session_id))
  return sessions.filter(({ id }) => holding.has(id))
}

/** Sessions in the order of every list. */
export async function sessionsOf(
  queries: Queries,
  { from, filter, limit, skip }: { from: string; filter: SessionFilter; limit: number; skip: number },
): Promise<SessionPlace[]> {
  return await queries.$queryRawUnsafe(
    `SELECT s.id, s.updated_at AS updatedAt FROM ${from} WHERE ${filter.where} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    ...filter.values,
    limit,
    skip,
  )
}

async function isCommon(queries: Queries, match: string): Promise<boolean> {
  const found = await queries.$queryRawUnsafe<unknown[]>(
    'SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    match,
    RARE,
  )
  return found.length > 0
}
