import type { Queries } from '../connect/database.ts'
import { inSessions } from './search-index.ts'
import { NEWEST_FIRST, type SessionFilter, type SessionPlace, toPlaces } from './session-filter.ts'

/** How many of the newest matching texts are looked at, before all of them are. */
const WINDOWS = [2_000, 20_000]

/** Sessions that are asked whether they hold the terms, before looking at more texts is cheaper. */
const ASKED = 200

const MATCHING = `SELECT DISTINCT e.session_id FROM search_index i CROSS JOIN search_entries e ON e.id = i.rowid
  WHERE search_index MATCH ?`

type Search = { match: string; filter: SessionFilter; limit: number }

/**
 * The first `limit` sessions of a list that hold the terms. A common word is in so many texts that only the newest are
 * looked at: they hold the sessions that a list begins with.
 */
export async function sessionsHolding(queries: Queries, search: Search): Promise<SessionPlace[]> {
  for (const size of WINDOWS) {
    const found = await foundInWindow(queries, search, size)
    if (found !== null) return found
  }
  return foundSince(queries, search, 0)
}

/** Null when the newest `size` texts leave open which sessions come first. */
async function foundInWindow(queries: Queries, search: Search, size: number): Promise<SessionPlace[] | null> {
  const oldest = await oldestInWindow(queries, search.match, size)
  const found = await foundSince(queries, search, oldest)
  const last = found.at(-1)
  if (oldest === 0) return found
  if (last === undefined || found.length < search.limit) return null
  // What began inside the window was seen whole. Older sessions among these may hold the terms in an older text.
  const older = await startedBefore(queries, { oldest, filter: search.filter, last })
  if (older.length > ASKED) return null
  const known = new Set(found.map(({ id }) => id))
  const holding = await thoseHolding(
    queries,
    search.match,
    older.filter(({ id }) => !known.has(id)),
  )
  return [...found, ...holding].sort(byPlace).slice(0, search.limit)
}

/** Those of some sessions that hold the terms. */
export async function thoseHolding<T extends { id: string }>(
  queries: Queries,
  match: string,
  sessions: T[],
): Promise<T[]> {
  if (sessions.length === 0) return []
  const rows = await queries.$queryRawUnsafe<{ session_id: string }[]>(
    MATCHING,
    inSessions(
      match,
      sessions.map(({ id }) => id),
    ),
  )
  const holding = new Set(rows.map((row) => row.session_id))
  return sessions.filter(({ id }) => holding.has(id))
}

/** The entry that the window ends before; 0 when it holds all matching texts. */
async function oldestInWindow(queries: Queries, match: string, size: number): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ entry: bigint }[]>(
    'SELECT rowid AS entry FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    match,
    size,
  )
  return Number(row?.entry ?? 0)
}

async function foundSince(
  queries: Queries,
  { match, filter, limit }: Search,
  oldest: number,
): Promise<SessionPlace[]> {
  return toPlaces(
    await queries.$queryRawUnsafe(
      `SELECT s.id, s.updated_at AS updatedAt FROM (${MATCHING} AND i.rowid > ?) found
       CROSS JOIN chat_sessions s ON s.id = found.session_id WHERE ${filter.where} ${NEWEST_FIRST} LIMIT ?`,
      match,
      oldest,
      ...filter.values,
      limit,
    ),
  )
}

/** Sessions down to the place `last` whose first entry, their title, is older than the window. */
async function startedBefore(
  queries: Queries,
  { oldest, filter, last }: { oldest: number; filter: SessionFilter; last: SessionPlace },
): Promise<SessionPlace[]> {
  return toPlaces(
    await queries.$queryRawUnsafe(
      `SELECT s.id, s.updated_at AS updatedAt FROM chat_sessions s
       WHERE ${filter.where} AND (s.updated_at, s.id) >= (?, ?)
         AND (SELECT e.id FROM search_entries e WHERE e.session_id = s.id AND e.message_id IS NULL) <= ?
       ${NEWEST_FIRST} LIMIT ?`,
      ...filter.values,
      last.updatedAt,
      last.id,
      oldest,
      ASKED + 1,
    ),
  )
}

function byPlace(a: SessionPlace, b: SessionPlace): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1)
}
