import type { ReadQueries } from '../connect/statements.ts'

/** The run that holds the session, or null. */
export async function claimOf(queries: ReadQueries, sessionId: string): Promise<string | null> {
  const [row] = await queries.$queryRawUnsafe<{ runId: string }[]>(
    'SELECT run_id AS "runId" FROM run_leases WHERE session_id = ?',
    sessionId,
  )
  return row?.runId ?? null
}
