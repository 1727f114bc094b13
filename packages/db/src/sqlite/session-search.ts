import type { ReadQueries } from '../connect/statements.ts'
import { NEWEST_FIRST, type SessionFilter, type SessionPlace } from '../sql/session-filter.ts'
import { inSessions } from './search-index.ts'
import { ENTRY_OF_ROW } from './search-slices.ts'

/** Terms in at most so many texts are rare: the sessions of all of these are looked at. */
const RARE = 2_000

/** Terms in more texts than this are common: most likely the first sessions of the list hold them, so these are asked. */
const COMMON = 10_000
const ASKED_AT_ONCE = [64, 128, 256, 512]

const MATCHING_TEXTS = `FROM search_index i CROSS JOIN search_entries e ON e.id = ${ENTRY_OF_ROW} WHERE search_index MATCH ?`
const MATCHING = `SELECT DISTINCT e.session_id ${MATCHING_TEXTS}`

type Search = { match: string; filter: SessionFilter; limit: number }

/** The first `limit` sessions of a list that hold the terms. */
export async function sessionsHolding(
  queries: ReadQueries,
  { match, filter, limit }: Search,
): Promise<SessionPlace[]> {
  const texts = await countTexts(queries, match, COMMON + 1)
  if (texts <= RARE) {
    const from = `(${MATCHING}) found CROSS JOIN chat_sessions s ON s.id = found.session_id`
    const { where, values } = filter
    return sessionsOf(queries, { from, filter: { where, values: [match, ...values] }, limit, skip: 0 })
  }
  const first = texts > COMMON ? await firstHolding(queries, { match, filter, limit }) : null
  return first ?? scanHolding(queries, { match, filter, limit })
}

/** Searches the first sessions of the list, in growing numbers; null when these contain too few matches. */
async function firstHolding(
  queries: ReadQueries,
  { match, filter, limit }: Search,
): Promise<SessionPlace[] | null> {
  const found: SessionPlace[] = []
  let skip = 0
  for (const asking of ASKED_AT_ONCE) {
    const asked = await sessionsOf(queries, { from: 'chat_sessions s', filter, limit: asking, skip })
    found.push(...(await thoseHolding(queries, match, asked)))
    if (found.length >= limit || asked.length < asking) return found.slice(0, limit)
    skip += asking
  }
  return null
}

/** Scans the list in its order until it has found enough sessions with the terms. */
async function scanHolding(queries: ReadQueries, { match, filter, limit }: Search): Promise<SessionPlace[]> {
  // The plus forces a scan in the order of the list instead of a lookup of each session by its id.
  const where = `+s.id IN (SELECT e.session_id ${MATCHING_TEXTS}) AND ${filter.where}`
  const scanned = { where, values: [match, ...filter.values] }
  return sessionsOf(queries, { from: 'chat_sessions s', filter: scanned, limit, skip: 0 })
}

/** Those of some sessions that hold the terms. */
export async function thoseHolding<T extends { id: string }>(
  queries: ReadQueries,
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
  queries: ReadQueries,
  { from, filter, limit, skip }: { from: string; filter: SessionFilter; limit: number; skip: number },
): Promise<SessionPlace[]> {
  return await queries.$queryRawUnsafe(
    `SELECT s.id, s.updated_at AS "updatedAt" FROM ${from} WHERE ${filter.where} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    ...filter.values,
    limit,
    skip,
  )
}

/** How many texts hold the terms, counted up to `most`. */
async function countTexts(queries: ReadQueries, match: string, most: number): Promise<number> {
  const [counted] = await queries.$queryRawUnsafe<{ texts: number }[]>(
    'SELECT count(*) AS texts FROM (SELECT 1 FROM search_index WHERE search_index MATCH ? LIMIT ?)',
    match,
    most,
  )
  return Number(counted?.texts ?? 0)
}
