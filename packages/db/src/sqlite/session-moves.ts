import type { SessionCursor } from '@palimpsest/core/domain'
import type { Queries } from '../connect/queries.ts'
import type { SessionFilter } from './session-filter.ts'

/** How many moves are remembered: a reader who has been away for more than that starts its list again anyway. */
const REMEMBERED = 10_000

/**
 * SQL for each connection: remembers where a session stood in lists ordered by `updated_at` before it moved to their
 * top. Without that, a row that is touched while someone pages towards it would be skipped. Lives as long as the host.
 */
export const SESSION_MOVES = `
CREATE TEMP TABLE session_moves (no INTEGER PRIMARY KEY, session_id TEXT NOT NULL, updated_at BIGINT NOT NULL);
CREATE TEMP TRIGGER session_moved AFTER UPDATE OF updated_at ON main.chat_sessions
WHEN new.updated_at <> old.updated_at
BEGIN
  INSERT INTO session_moves (session_id, updated_at) VALUES (old.id, old.updated_at);
  DELETE FROM session_moves WHERE no <= (SELECT max(no) FROM session_moves) - ${REMEMBERED};
END;
`

/** The number of the newest move. */
export async function lastMove(queries: Queries): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ no: number | null }[]>(
    'SELECT max(no) AS no FROM temp.session_moves',
  )
  return row?.no ?? 0
}

/** Sessions that stood after the cursor when it was given out and stand before it now, in order of moving. */
export async function movedPast(
  queries: Queries,
  cursor: SessionCursor,
  { where, values }: SessionFilter,
): Promise<{ id: string; move: number }[]> {
  const { updatedAt, id, moves } = cursor
  const rows = await queries.$queryRawUnsafe<{ id: string; move: number }[]>(
    `SELECT s.id, min(m.no) AS move FROM temp.session_moves m CROSS JOIN chat_sessions s ON s.id = m.session_id
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
