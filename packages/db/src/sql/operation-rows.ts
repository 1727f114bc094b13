import type { ReadQueries } from '../connect/statements.ts'
import type { OperationRow } from '../rows/operation-row.ts'
import { columnsAs } from './columns.ts'

const OPERATION = columnsAs('history_op', 'o')
const REWINDS = "o.session_id = ? AND o.kind IN ('rewind', 'unrewind')"

/** A session's operations in the order in which they happened. */
export function operationRows(queries: ReadQueries, sessionId: string): Promise<OperationRow[]> {
  return queries.$queryRawUnsafe(
    `SELECT ${OPERATION} FROM history_ops o WHERE o.session_id = ? ORDER BY o.ordinal`,
    sessionId,
  )
}

/** The `ordinal` of the session's next operation. */
export async function nextOrdinal(queries: ReadQueries, sessionId: string): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ last: number }[]>(
    'SELECT coalesce(max(ordinal), 0) AS last FROM history_ops WHERE session_id = ?',
    sessionId,
  )
  return (row?.last ?? 0) + 1
}

/** The latest rewind or un-rewind. */
export function newestRewindRow(queries: ReadQueries, sessionId: string): Promise<OperationRow | undefined> {
  return newest(queries, REWINDS, sessionId)
}

/** The latest rewind or un-rewind that still hides something. */
export function hidingRewindRow(queries: ReadQueries, sessionId: string): Promise<OperationRow | undefined> {
  const hides = 'EXISTS (SELECT 1 FROM chat_messages m WHERE m.hidden_by = o.id)'
  return newest(queries, `${REWINDS} AND ${hides}`, sessionId)
}

async function newest(
  queries: ReadQueries,
  where: string,
  sessionId: string,
): Promise<OperationRow | undefined> {
  const [row] = await queries.$queryRawUnsafe<OperationRow[]>(
    `SELECT ${OPERATION} FROM history_ops o WHERE ${where} ORDER BY o.ordinal DESC LIMIT 1`,
    sessionId,
  )
  return row
}
