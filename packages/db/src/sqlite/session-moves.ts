import type { SessionCursor } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { SessionFilter } from '../sql/session-filter.ts'

/** The number of the newest move. */
export async function lastMove(queries: ReadQueries): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ no: number | null }[]>(
    'SELECT max(no) AS no FROM session_moves',
  )
  return row?.no ?? 0
}

/**
 * Sessions that were after the cursor when it was made and are before it now, in order of moving. A trigger keeps the
 * latest moves, so that a row that is touched while someone pages towards it is not skipped.
 */
export async function movedPast(
  queries: ReadQueries,
  cursor: SessionCursor,
  { where, values }: SessionFilter,
): Promise<{ id: string; move: number }[]> {
  const { updatedAt, id, moves } = cursor
  const rows = await queries.$queryRawUnsafe<{ id: string; move: number }[]>(
    `SELECT s.id, min(m.no) AS move FROM session_moves m CROSS JOIN chat_sessions s ON s.id = m.session_id
     WHERE m.no > ? AND (m.updated_at, m.session_id) < (?, ?) AND ${where} AND (s.updated_at, s.id) >= (?, ?)
     GROUP BY s.id ORDER BY move`,
    moves,
    updatedAt,
    id,
    ...values,
    updatedAt,
    id,
  )
  return rows.map((row) => ({ id: row.id, move: row.move }))
}
