import type { NewMessage } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import type { Value } from '../rows/copied-columns.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { insertNew } from './insert-new.ts'

/** The largest `seq` of a session's messages; 0 when it has none. */
export async function lastSeq(queries: ReadQueries, sessionId: string): Promise<number> {
  const sql = 'SELECT last_seq AS seq FROM chat_sessions WHERE id = ?'
  const [row] = await queries.$queryRawUnsafe<{ seq: number }[]>(sql, sessionId)
  return row?.seq ?? 0
}

/** The `seq` of the session's next message, which the same transaction must write; null when there is no such session. */
export async function takeSeq(queries: RawQueries, sessionId: string): Promise<number | null> {
  const [row] = await queries.$queryRawUnsafe<{ seq: number }[]>(
    'UPDATE chat_sessions SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq AS seq',
    sessionId,
  )
  return row?.seq ?? null
}

/**
 * Writes a message's row: at the end of its session, or without a place there when it is queued. Returns its place, or
 * null when its id is taken; then the transaction must not be committed.
 */
export async function addMessage(
  queries: RawQueries,
  { id, sessionId, role, metadata }: Pick<NewMessage, 'id' | 'sessionId' | 'role' | 'metadata'>,
  { queuedAt, createdAt, at }: { queuedAt: number | null; createdAt: number; at: number },
): Promise<{ seq: number | null } | null> {
  const seq = queuedAt === null ? await takeSeq(queries, sessionId) : null
  const added = await insertNew(queries, 'message', {
    id,
    session_id: sessionId,
    seq,
    role,
    ...metadataColumns(metadata),
    hidden_at: null,
    hidden_by: null,
    queued_at: queuedAt,
    created_at: createdAt,
    updated_at: at,
  })
  return added ? { seq } : null
}

/** Changes columns of a message. Returns whether there is one. */
export async function updateMessage(
  queries: RawQueries,
  messageId: string,
  columns: Record<string, Value>,
): Promise<boolean> {
  const set = Object.keys(columns).map((name) => `${name} = ?`)
  const changed = await queries.$executeRawUnsafe(
    `UPDATE chat_messages SET ${set.join(', ')} WHERE id = ?`,
    ...Object.values(columns),
    messageId,
  )
  return changed > 0
}
