import type { SeqRange, StoredMessage } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import type { ChatMessage, ChatPart } from '../generated/client.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { columnsAs } from './columns.ts'

const MESSAGE = columnsAs('message', 'm')
const PART = columnsAs('part', 'p')
const VISIBLE = 'm.session_id = ? AND m.seq IS NOT NULL AND m.hidden_at IS NULL'
const IN_RANGES = 'm.session_id = ? AND m.seq BETWEEN r.value ->> 0 AND r.value ->> 1'

/** What the next model call may see, in order. */
export function visibleMessages(queries: RawQueries, sessionId: string): Promise<StoredMessage[]> {
  return messagesWhere(queries, '', VISIBLE, [sessionId])
}

/** The messages at these places, hidden ones included, in order. */
export function messagesInRanges(
  queries: RawQueries,
  sessionId: string,
  ranges: readonly SeqRange[],
): Promise<StoredMessage[]> {
  return messagesWhere(queries, 'json_each(?) r CROSS JOIN', IN_RANGES, [JSON.stringify(ranges), sessionId])
}

/** The newest messages before a place, in order. */
export function messagesBefore(
  queries: RawQueries,
  { sessionId, seq, limit, hidden }: { sessionId: string; seq: number; limit: number; hidden: boolean },
): Promise<StoredMessage[]> {
  const before = `session_id = ? AND seq < ?${hidden ? '' : ' AND hidden_at IS NULL'}`
  const newest = `SELECT seq FROM chat_messages WHERE ${before} ORDER BY seq DESC LIMIT ?`
  const where = `m.session_id = ? AND m.seq IN (${newest})`
  return messagesWhere(queries, '', where, [sessionId, sessionId, seq, limit])
}

/** Parts come by a join: there may be more messages than Prisma can name in one query. */
async function messagesWhere(
  queries: RawQueries,
  before: string,
  where: string,
  values: (string | number)[],
): Promise<StoredMessage[]> {
  const messages = await queries.$queryRawUnsafe<ChatMessage[]>(
    `SELECT ${MESSAGE} FROM ${before} chat_messages m WHERE ${where} ORDER BY m.seq`,
    ...values,
  )
  const parts = await queries.$queryRawUnsafe<ChatPart[]>(
    `SELECT ${PART}
     FROM ${before} chat_messages m CROSS JOIN chat_parts p ON p.message_id = m.id
     WHERE ${where} ORDER BY m.seq, p."index"`,
    ...values,
  )
  const partsOf = Map.groupBy(parts, (part) => part.messageId)
  return messages.map((message) => toStoredMessage({ ...message, parts: partsOf.get(message.id) ?? [] }))
}
