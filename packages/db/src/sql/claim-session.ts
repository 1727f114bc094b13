import { AppError, LEASE_MS } from '@palimpsest/core/domain'
import type { RunLease } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

/** Takes the session's one lease, if there is such a session, open and free; answers whether it did. */
export async function claimSession(
  queries: RawQueries,
  { sessionId, runId, startedAt, epoch }: RunLease,
  owner: string,
): Promise<boolean> {
  const claimed = await queries.$executeRawUnsafe(
    `INSERT INTO run_leases (session_id, run_id, owner, started_at, epoch, expires_at)
     SELECT id, ?, ?, ?, ?, ? FROM chat_sessions WHERE id = ? AND archived_at IS NULL AND deleted_at IS NULL
     ON CONFLICT (session_id) DO NOTHING`,
    runId,
    owner,
    startedAt,
    epoch,
    startedAt + LEASE_MS,
    sessionId,
  )
  return claimed > 0
}

/** Ends the claim. `SESSION_NOT_RUNNING` when the run does not hold it in this epoch. */
export async function releaseSession(
  queries: RawQueries,
  { sessionId, runId, epoch }: HeldRun,
): Promise<void> {
  const sql = 'DELETE FROM run_leases WHERE session_id = ? AND run_id = ? AND epoch = ?'
  requireClaim(await queries.$executeRawUnsafe(sql, sessionId, runId, epoch))
}

type HeldRun = Pick<RunLease, 'sessionId' | 'runId' | 'epoch'>

/** `SESSION_NOT_RUNNING` when the run does not hold its session in this epoch. */
export async function checkClaim(queries: ReadQueries, { sessionId, runId, epoch }: HeldRun): Promise<void> {
  const sql = 'SELECT 1 FROM run_leases WHERE session_id = ? AND run_id = ? AND epoch = ?'
  requireClaim((await queries.$queryRawUnsafe<unknown[]>(sql, sessionId, runId, epoch)).length)
}

/** Whether a run holds the session. */
export async function isClaimed(queries: ReadQueries, sessionId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM run_leases WHERE session_id = ?'
  return (await queries.$queryRawUnsafe<unknown[]>(sql, sessionId)).length > 0
}

/** A write of a run that changed no row was fenced off. */
export function requireClaim(changed: number): void {
  if (changed === 0) throw new AppError('SESSION_NOT_RUNNING', 'This run no longer holds its session.')
}

/** Lets the claims of these runs of `owner` expire later. Returns the runs whose claims are there. */
export async function renewClaims(
  queries: RawQueries,
  { owner, runIds, at }: { owner: string; runIds: string[]; at: number },
): Promise<string[]> {
  const renewed = await queries.$queryRawUnsafe<{ runId: string }[]>(
    `UPDATE run_leases SET expires_at = ?
     WHERE run_id IN (SELECT value FROM ${queries.dialect.texts} ids) AND owner = ? RETURNING run_id AS "runId"`,
    at + LEASE_MS,
    JSON.stringify(runIds),
    owner,
  )
  return renewed.map(({ runId }) => runId)
}

/** The file has one owner: the hosts of other claims are gone. The claim of a run that waits does not expire. */
const EXPIRED = 'waiting_on IS NULL AND (coalesce(expires_at, 0) <= ? OR owner <> ?)'

/** The claims that have expired, and those of other owners. */
export function expiredClaims(
  queries: ReadQueries,
  { owner, at }: { owner: string; at: number },
): Promise<RunLease[]> {
  return queries.$queryRawUnsafe(
    `SELECT run_id AS "runId", session_id AS "sessionId", started_at AS "startedAt", epoch FROM run_leases
     WHERE ${EXPIRED} ORDER BY started_at, session_id`,
    at,
    owner,
  )
}

/** Makes an expired claim that of `owner`, in the next epoch; null when it is no longer there to be taken. */
export async function takeOverClaim(
  queries: RawQueries,
  lease: RunLease,
  { owner, at }: { owner: string; at: number },
): Promise<RunLease | null> {
  const { sessionId, runId, epoch } = lease
  const taken = await queries.$executeRawUnsafe(
    `UPDATE run_leases SET owner = ?, epoch = epoch + 1, expires_at = ?
     WHERE session_id = ? AND run_id = ? AND epoch = ? AND ${EXPIRED}`,
    owner,
    at,
    sessionId,
    runId,
    epoch,
    at,
    owner,
  )
  return taken === 0 ? null : { ...lease, epoch: epoch + 1 }
}
