import type { StoredMessage } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import type { ChatMessage, ChatPart } from '../generated/client.ts'
import { toStoredMessage } from '../rows/message-row.ts'

/**
 * What the next model call may see, in order. Parts come by a join: there may be more messages than Prisma can name in
 * one query.
 */
export async function visibleMessages(queries: RawQueries, sessionId: string): Promise<StoredMessage[]> {
  const messages = await queries.$queryRawUnsafe<ChatMessage[]>(
    `SELECT id, session_id AS sessionId, seq, role, metadata_json AS metadataJson, hidden_at AS hiddenAt,
       hidden_by AS hiddenBy, queued_at AS queuedAt, created_at AS createdAt, updated_at AS updatedAt
     FROM chat_messages WHERE session_id = ? AND seq IS NOT NULL AND hidden_at IS NULL ORDER BY seq`,
    sessionId,
  )
  const parts = await queries.$queryRawUnsafe<ChatPart[]>(
    `SELECT p.id, p.message_id AS messageId, p.session_id AS sessionId, p."index", p.type, p.data_json AS dataJson,
       p.tool_call_id AS toolCallId, p.tool_state AS toolState, p.pruned_at AS prunedAt,
       p.created_at AS createdAt, p.updated_at AS updatedAt
     FROM chat_messages m CROSS JOIN chat_parts p ON p.message_id = m.id
     WHERE m.session_id = ? AND m.seq IS NOT NULL AND m.hidden_at IS NULL
     ORDER BY m.seq, p."index"`,
    sessionId,
  )
  const partsOf = Map.groupBy(parts, (part) => part.messageId)
  return messages.map((message) => toStoredMessage({ ...message, parts: partsOf.get(message.id) ?? [] }))
}
