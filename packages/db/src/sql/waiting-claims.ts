import type { AskKind } from '@palimpsest/core/domain'
import { LEASE_MS } from '@palimpsest/core/domain'
import type { RunLease, WaitingRun } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

const NO_OWNER = ''

/** Takes the claim of a run from its host while the run waits. */
export async function waitOn(
  queries: RawQueries,
  { runId, messageId }: { runId: string; messageId: string },
  on: AskKind,
): Promise<void> {
  await queries.$executeRawUnsafe(
    `UPDATE run_leases SET waiting_on = ?, message_id = ?, owner = '${NO_OWNER}', expires_at = NULL WHERE run_id = ?`,
    on,
    messageId,
    runId,
  )
}

/** Gives the claim of a run that waits to `owner`, in the next epoch; null when it does not wait. */
export async function claimWaiting(
  queries: RawQueries,
  runId: string,
  { owner, at }: { owner: string; at: number },
): Promise<RunLease | null> {
  const changed = await queries.$executeRawUnsafe(
    `UPDATE run_leases SET waiting_on = NULL, owner = ?, epoch = epoch + 1, expires_at = ?
     WHERE run_id = ? AND waiting_on IS NOT NULL`,
    owner,
    at + LEASE_MS,
    runId,
  )
  if (changed === 0) return null
  const [lease] = await queries.$queryRawUnsafe<RunLease[]>(
    `SELECT run_id AS "runId", session_id AS "sessionId", started_at AS "startedAt", epoch
     FROM run_leases WHERE run_id = ?`,
    runId,
  )
  return lease === undefined ? null : { ...lease, startedAt: Number(lease.startedAt) }
}

type WaitingRow = RunLease & { messageId: string; waitingOn: AskKind }

export async function waitingRuns(queries: ReadQueries): Promise<WaitingRun[]> {
  const rows = await queries.$queryRawUnsafe<WaitingRow[]>(
    `SELECT run_id AS "runId", session_id AS "sessionId", started_at AS "startedAt", epoch,
     message_id AS "messageId", waiting_on AS "waitingOn"
     FROM run_leases WHERE waiting_on IS NOT NULL ORDER BY started_at`,
  )
  return rows.map(({ messageId, waitingOn: on, ...lease }) => ({ lease, messageId, on }))
}
