import type { ReadQueries } from '../connect/statements.ts'
import type { SessionRow } from '../rows/session-row.ts'
import { sessionColumns } from './session-rows.ts'

/** The rows of a session's root and of all that descends from it, in order of creation. What is in the bin ends a line. */
export function familyRows(queries: ReadQueries, sessionId: string): Promise<SessionRow[]> {
  const { join } = queries.dialect
  return queries.$queryRawUnsafe(
    `WITH RECURSIVE
       up (id, parent_id) AS (
         SELECT id, parent_id FROM chat_sessions WHERE id = ? AND deleted_at IS NULL
         UNION SELECT s.id, s.parent_id FROM up ${join} chat_sessions s ON s.id = up.parent_id AND s.deleted_at IS NULL
       ),
       down (id) AS (
         SELECT id FROM up WHERE parent_id IS NULL OR parent_id NOT IN (SELECT id FROM up)
         UNION SELECT s.id FROM down ${join} chat_sessions s ON s.parent_id = down.id AND s.deleted_at IS NULL
       )
     SELECT ${sessionColumns('s')} FROM down ${join} chat_sessions s ON s.id = down.id
     ORDER BY s.created_at, s.id`,
    sessionId,
  )
}
