import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import type { ChatSession } from '../generated/client.ts'
import { columnsAs } from './columns.ts'

export async function sessionRow(queries: ReadQueries, sessionId: string): Promise<ChatSession | undefined> {
  const [row] = await queries.$queryRawUnsafe<ChatSession[]>(
    `SELECT ${columnsAs('session', 's')} FROM chat_sessions s WHERE s.id = ?`,
    sessionId,
  )
  return row
}

/** The run that holds the session, or null. */
export async function claimOf(queries: ReadQueries, sessionId: string): Promise<string | null> {
  const [row] = await queries.$queryRawUnsafe<{ runId: string }[]>(
    'SELECT run_id AS runId FROM run_leases WHERE session_id = ?',
    sessionId,
  )
  return row?.runId ?? null
}

/** Notes a change of the session or its history. */
export async function touchSessionRow(queries: RawQueries, sessionId: string, at: number): Promise<void> {
  await queries.$executeRawUnsafe(
    'UPDATE chat_sessions SET updated_at = ?, revision = revision + 1 WHERE id = ?',
    at,
    sessionId,
  )
}
