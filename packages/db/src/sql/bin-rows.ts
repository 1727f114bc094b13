import type { Purged } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import type { SessionRow } from '../rows/session-row.ts'
import { sessionColumns } from './session-rows.ts'

/** A session, and when it was moved to the bin. */
type BinRow = { id: string; deletedAt: number | null }

/** A session with its sidecars and subagents, or all its descendants, those in the bin included; none when it does not exist. */
export async function descendants(
  queries: ReadQueries,
  sessionId: string,
  withBranches: boolean,
): Promise<BinRow[]> {
  const { join } = queries.dialect
  const rows = await queries.$queryRawUnsafe<{ id: string; deletedAt: bigint | number | null }[]>(
    `WITH RECURSIVE down (id) AS (
       SELECT id FROM chat_sessions WHERE id = ?
       UNION SELECT s.id FROM down ${join} chat_sessions s ON s.parent_id = down.id
         ${withBranches ? '' : 'AND (s.ephemeral = 1 OR s.root_id IS NOT NULL)'}
     )
     SELECT s.id, s.deleted_at AS "deletedAt" FROM down ${join} chat_sessions s ON s.id = down.id`,
    sessionId,
  )
  return rows.map(({ id, deletedAt }) => ({ id, deletedAt: deletedAt === null ? null : Number(deletedAt) }))
}

/** The session in the bin with the descendants that were deleted together with it; none when it is not there. */
export async function deletedTogether(queries: ReadQueries, sessionId: string): Promise<string[]> {
  const rows = await descendants(queries, sessionId, true)
  const deletedAt = rows.find(({ id }) => id === sessionId)?.deletedAt ?? null
  if (deletedAt === null) return []
  // A time that cannot be read equals no other, but the session is there.
  return rows.filter((row) => row.id === sessionId || row.deletedAt === deletedAt).map(({ id }) => id)
}

/** Moves sessions to the bin, or out of it with null. */
export function setDeleted(
  queries: RawQueries,
  ids: string[],
  { deletedAt, at }: { deletedAt: number | null; at: number },
): Promise<SessionRow[]> {
  return queries.$queryRawUnsafe(
    `UPDATE chat_sessions SET deleted_at = ?, updated_at = ?, revision = revision + 1
     WHERE id IN (SELECT value FROM ${queries.dialect.texts} ids) RETURNING ${sessionColumns()}`,
    deletedAt,
    at,
    JSON.stringify(ids),
  )
}

/** Whether a run holds one of the sessions. */
export async function isAnyClaimed(queries: ReadQueries, ids: string[]): Promise<boolean> {
  const sql = `SELECT 1 FROM run_leases WHERE session_id IN (SELECT value FROM ${queries.dialect.texts} ids) LIMIT 1`
  return (await queries.$queryRawUnsafe<unknown[]>(sql, JSON.stringify(ids))).length > 0
}

/** Sessions that were moved to the bin at `before` or earlier, without those in `except`. */
export async function deletedBefore(
  queries: ReadQueries,
  { before, except, limit }: { before: number; except: readonly string[]; limit: number },
): Promise<string[]> {
  // In the bin `updated_at` is `deleted_at`, and has the index.
  const rows = await queries.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM chat_sessions WHERE deleted_at IS NOT NULL AND updated_at <= ?
       AND id NOT IN (SELECT value FROM ${queries.dialect.texts} ids) ORDER BY updated_at, id LIMIT ?`,
    before,
    JSON.stringify(except),
    limit,
  )
  return rows.map(({ id }) => id)
}

/** The folders of these sessions. */
export async function workspacesOf(queries: ReadQueries, ids: string[]): Promise<string[]> {
  const rows = await queries.$queryRawUnsafe<{ root: string }[]>(
    `SELECT DISTINCT workspace_root AS root FROM chat_sessions
     WHERE id IN (SELECT value FROM ${queries.dialect.texts} ids) AND workspace_root IS NOT NULL`,
    JSON.stringify(ids),
  )
  return rows.map(({ root }) => root)
}

/** Those of these folders that no session names, and, where there are such, all that sessions name. */
export async function workspacesAfter(queries: ReadQueries, roots: string[]): Promise<Purged['workspaces']> {
  if (roots.length === 0) return { unnamed: [], named: [] }
  const rows = await queries.$queryRawUnsafe<{ root: string }[]>(
    `SELECT r.value AS root FROM ${queries.dialect.texts} r
     WHERE NOT EXISTS (SELECT 1 FROM chat_sessions s WHERE s.workspace_root = r.value)`,
    JSON.stringify(roots),
  )
  if (rows.length === 0) return { unnamed: [], named: [] }
  const named = await queries.$queryRawUnsafe<{ root: string }[]>(
    'SELECT DISTINCT workspace_root AS root FROM chat_sessions WHERE workspace_root IS NOT NULL ORDER BY workspace_root',
  )
  return { unnamed: rows.map(({ root }) => root), named: named.map(({ root }) => root) }
}
