import type { SessionCursor } from '@palimpsest/core/domain'
import type { Queries } from '../connect/database.ts'
import type { SessionFilter } from './session-filter.ts'
import { lastMove, movedPast } from './session-moves.ts'

/** A page of ids, newest first, after rows that moved past the cursor; and where the next page begins. */
export async function sessionPage(
  queries: Queries,
  filter: SessionFilter,
  cursor: SessionCursor | null,
  limit: number,
): Promise<{ ids: string[]; next: SessionCursor | null }> {
  const moved = cursor === null ? [] : await movedPast(queries, cursor, filter, limit + 1)
  const late = moved.slice(0, limit)
  const rest = await sessionsAfter(queries, filter, cursor, limit - late.length + 1)
  const page = rest.slice(0, limit - late.length)
  const last = page.at(-1) ?? cursor
  const more = moved.length > late.length || rest.length > page.length
  const moves = moved.length > late.length ? late.at(-1)?.move : undefined
  return {
    ids: [...late, ...page].map(({ id }) => id),
    next: more && last !== null ? { ...last, moves: moves ?? (await lastMove(queries)) } : null,
  }
}

async function sessionsAfter(
  queries: Queries,
  { from, where, values }: SessionFilter,
  cursor: SessionCursor | null,
  limit: number,
): Promise<{ id: string; updatedAt: number }[]> {
  const after = cursor === null ? [] : [cursor.updatedAt, cursor.id]
  const rows = await queries.$queryRawUnsafe<{ id: string; updatedAt: bigint }[]>(
    `SELECT s.id, s.updated_at AS updatedAt FROM ${from}
     WHERE ${where} ${cursor === null ? '' : 'AND (s.updated_at, s.id) < (?, ?)'}
     ORDER BY s.updated_at DESC, s.id DESC LIMIT ?`,
    ...values,
    ...after,
    limit,
  )
  return rows.map(({ id, updatedAt }) => ({ id, updatedAt: Number(updatedAt) }))
}
