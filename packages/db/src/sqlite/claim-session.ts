import type { RunLease } from '@palimpsest/core/ports'
import type { Queries } from '../connect/queries.ts'

/** Takes the session's one lease, if there is such a session, open and free; answers whether it did. */
export async function claimSession(
  queries: Queries,
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
