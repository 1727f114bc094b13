import type { NewMessage } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { writeMetadata } from '../rows/message-row.ts'

/**
 * Writes a message's row: at the end of its session, or without a place there when it is queued. Answers its place, or
 * null when its id is taken.
 */
export async function addMessage(
  queries: RawQueries,
  { id, sessionId, role, metadata }: NewMessage,
  { queuedAt, at }: { queuedAt: number | null; at: number },
): Promise<{ seq: number | null } | null> {
  const seq =
    queuedAt === null ? '(SELECT coalesce(max(seq), 0) + 1 FROM chat_messages WHERE session_id = ?)' : 'NULL'
  const [row] = await queries.$queryRawUnsafe<{ seq: number | null }[]>(
    `INSERT INTO chat_messages (id, session_id, role, metadata_json, queued_at, created_at, updated_at, seq)
     VALUES (?, ?, ?, ?, ?, ?, ?, ${seq}) ON CONFLICT (id) DO NOTHING RETURNING seq`,
    id,
    sessionId,
    role,
    writeMetadata(metadata),
    queuedAt,
    metadata.createdAt,
    at,
    ...(queuedAt === null ? [sessionId] : []),
  )
  if (row === undefined) return null
  return { seq: row.seq }
}
