import type { RunLease } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

/** Takes the session's one lease, if there is such a session, open and free; answers whether it did. */
export async function claimSession(
  queries: RawQueries,
  { sessionId, runId, startedAt }: RunLease,
  owner: string,
): Promise<boolean> {
  const claimed = await queries.$executeRawUnsafe(
    `INSERT INTO run_leases (session_id, run_id, owner, started_at)
     SELECT id, ?, ?, ? FROM chat_sessions WHERE id = ? AND archived_at IS NULL
     ON CONFLICT (session_id) DO NOTHING`,
    runId,
    owner,
    startedAt,
    sessionId,
  )
  return claimed > 0
}

export async function releaseSession(
  queries: RawQueries,
  { sessionId, runId }: Pick<RunLease, 'sessionId' | 'runId'>,
): Promise<void> {
  await queries.$executeRawUnsafe(
    'DELETE FROM run_leases WHERE session_id = ? AND run_id = ?',
    sessionId,
    runId,
  )
}

/** The claims of other owners. */
export function leasesOfOthers(queries: ReadQueries, owner: string): Promise<RunLease[]> {
  return queries.$queryRawUnsafe(
    `SELECT run_id AS "runId", session_id AS "sessionId", started_at AS "startedAt" FROM run_leases
     WHERE owner <> ? ORDER BY started_at, session_id`,
    owner,
  )
}
