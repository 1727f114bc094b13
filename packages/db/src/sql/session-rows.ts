import type { Session, SessionMetadata } from '@palimpsest/core/domain'
import type { NewSession, SessionLink } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import type { Value } from '../rows/copied-columns.ts'
import { type SessionRow, sessionMetadataColumns, writeModel } from '../rows/session-row.ts'
import { columnsAs } from './columns.ts'
import { insertNew } from './insert-new.ts'

const WHOLE_ROW = sessionColumns()

/** SQL for the columns of `SessionRow`, of an alias of the table. */
export function sessionColumns(alias?: string): string {
  return `${columnsAs('session', alias)}, ${alias === undefined ? '' : `${alias}.`}deleted_at AS "deletedAt"`
}

/** New values of columns; counts grow by what is added. */
export type SessionChanges = {
  title?: string
  modelJson?: string
  workspaceRoot?: string
  metadata?: SessionMetadata
  permissions?: Session['permissions']
  archivedAt?: number | null
  added?: Partial<Record<Count, number>>
}

const COUNTS = {
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  reasoningTokens: 'reasoning_tokens',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  totalTokens: 'total_tokens',
} as const

type Count = keyof typeof COUNTS

/** The session, unless it is in the bin. */
export async function readSession(queries: ReadQueries, id: string): Promise<SessionRow | undefined> {
  const sql = `SELECT ${WHOLE_ROW} FROM chat_sessions WHERE id = ? AND deleted_at IS NULL`
  return (await queries.$queryRawUnsafe<SessionRow[]>(sql, id))[0]
}

/** The session of this id, or else the one with the message of this id; one in the bin too. */
export async function sessionHolding(queries: ReadQueries, id: string): Promise<SessionRow | undefined> {
  const sql = `SELECT ${WHOLE_ROW} FROM chat_sessions
    WHERE id = coalesce((SELECT s.id FROM chat_sessions s WHERE s.id = ?), (SELECT session_id FROM chat_messages WHERE id = ?))`
  return (await queries.$queryRawUnsafe<SessionRow[]>(sql, id, id))[0]
}

/** The sessions with these ids, in no order; those in the bin too. */
export function sessionsByIds(queries: ReadQueries, ids: string[]): Promise<SessionRow[]> {
  const where = `id IN (SELECT value FROM ${queries.dialect.texts} ids)`
  const sql = `SELECT ${WHOLE_ROW} FROM chat_sessions WHERE ${where}`
  return queries.$queryRawUnsafe(sql, JSON.stringify(ids))
}

/** Links that one query returns. */
const LINKS_AT_ONCE = 1_000

/** Sessions whose ids follow `after`, with their parents, in the order of their ids; those in the bin too. */
export function sessionLinks(queries: ReadQueries, after: string | null): Promise<SessionLink[]> {
  return queries.$queryRawUnsafe(
    `SELECT id, parent_id AS "parentId" FROM chat_sessions WHERE id > ? ORDER BY id LIMIT ${LINKS_AT_ONCE}`,
    after ?? '',
  )
}

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

/** Writes a session's row; false when its id is taken. */
export function addSession(
  queries: RawQueries,
  session: NewSession,
  workerId: string | null,
): Promise<boolean> {
  return insertNew(queries, 'session', {
    id: session.id,
    title: session.title,
    agent: session.agent,
    workspace_root: session.workspaceRoot,
    worker_id: workerId,
    model_json: writeModel(session.model),
    parent_id: session.parentId,
    parent_message_id: session.parentMessageId,
    permissions_json: JSON.stringify(session.permissions ?? []),
    ...sessionMetadataColumns(session.metadata),
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cache_read: 0,
    cache_write: 0,
    total_tokens: 0,
    context_tokens: 0,
    cost_usd: 0,
    revision: 0,
    created_at: session.at,
    updated_at: session.at,
    archived_at: null,
    last_seq: 0,
  })
}

/** Changes a session at a time, and returns its row; undefined when there is none, or it is in the bin. */
export async function updateSession(
  queries: RawQueries,
  id: string,
  at: number,
  { added = {}, ...changes }: SessionChanges,
): Promise<SessionRow | undefined> {
  const columns = changedColumns(changes)
  const set = Object.keys(columns).map((name) => `${name} = ?`)
  const grown = Object.keys(added).map((name) => `${countColumn(name)} = ${countColumn(name)} + ?`)
  const sql = `UPDATE chat_sessions SET ${[...set, ...grown, 'updated_at = ?', 'revision = revision + 1'].join(', ')}
    WHERE id = ? AND deleted_at IS NULL RETURNING ${WHOLE_ROW}`
  const values = [...Object.values(columns), ...Object.values(added), at, id]
  return (await queries.$queryRawUnsafe<SessionRow[]>(sql, ...values))[0]
}

function changedColumns({
  title,
  modelJson,
  workspaceRoot,
  metadata,
  permissions,
  archivedAt,
}: Omit<SessionChanges, 'added'>): Record<string, Value> {
  return {
    ...(title !== undefined && { title }),
    ...(modelJson !== undefined && { model_json: modelJson }),
    ...(workspaceRoot !== undefined && { workspace_root: workspaceRoot }),
    ...(metadata !== undefined && sessionMetadataColumns(metadata)),
    ...(permissions !== undefined && { permissions_json: JSON.stringify(permissions) }),
    ...(archivedAt !== undefined && { archived_at: archivedAt }),
  }
}

function countColumn(name: string): string {
  // Names come from `SessionChanges` alone, whose keys are columns.
  return COUNTS[name as Count]
}
