import type { SeqRange, StoredMessage } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatMessage, ChatPart } from '../generated/client.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { columnsAs } from './columns.ts'
import { withTails } from './run-log.ts'

const MESSAGE = columnsAs('message', 'm')
const PART = columnsAs('part', 'p')
const VISIBLE = 'm.session_id = ? AND m.seq IS NOT NULL AND m.hidden_at IS NULL'
const BY_ID = 'm.id = ? AND m.session_id = ?'
const IN_RANGES = `m.session_id = ?
  AND m.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER)`

/** What the next model call may see, in order. */
export function visibleMessages(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  return conversation(queries, '', VISIBLE, [sessionId])
}

/** The messages at these places, hidden ones included, in order. */
export function messagesInRanges(
  queries: ReadQueries,
  sessionId: string,
  ranges: readonly SeqRange[],
): Promise<StoredMessage[]> {
  const { rows, join } = queries.dialect
  const values = [JSON.stringify(ranges), sessionId]
  return conversation(queries, `${rows} r ${join}`, IN_RANGES, values)
}

/** The newest messages before a place, in order. */
export function messagesBefore(
  queries: ReadQueries,
  { sessionId, seq, limit, hidden }: { sessionId: string; seq: number; limit: number; hidden: boolean },
): Promise<StoredMessage[]> {
  const before = `session_id = ? AND seq < ?${hidden ? '' : ' AND hidden_at IS NULL'}`
  const newest = `SELECT seq FROM chat_messages WHERE ${before} ORDER BY seq DESC LIMIT ?`
  const where = `m.session_id = ? AND m.seq IN (${newest})`
  return conversation(queries, '', where, [sessionId, sessionId, seq, limit])
}

/** Any message of the session: hidden and queued ones included. */
export async function messageById(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage | null> {
  const found = await conversation(queries, '', BY_ID, [messageId, sessionId])
  return found[0] ?? null
}

/** The same as its rows hold it. */
export async function storedMessage(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage | null> {
  const found = await messagesWhere(queries, '', BY_ID, [messageId, sessionId])
  return found[0] ?? null
}

/** The messages with these ids, in no order. */
export function messagesByIds(queries: ReadQueries, ids: string[]): Promise<StoredMessage[]> {
  const { texts, join } = queries.dialect
  return conversation(queries, `${texts} r ${join}`, 'm.id = r.value', [JSON.stringify(ids)])
}

/** The messages that wait, in the order of the queue. */
export function messagesInQueue(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  const where = 'm.session_id = ? AND m.queued_at IS NOT NULL AND m.hidden_at IS NULL'
  return messagesWhere(queries, '', where, [sessionId], 'queued_at')
}

/** Messages that were taken out of the queue unsent, the last queued first. */
export async function messagesOutOfQueue(
  queries: ReadQueries,
  {
    sessionId,
    hiddenBy,
    before,
    limit,
  }: { sessionId: string; hiddenBy: string; before: number; limit: number },
): Promise<StoredMessage[]> {
  const newest = `SELECT id FROM chat_messages
    WHERE session_id = ? AND queued_at < ? AND hidden_by = ? ORDER BY queued_at DESC LIMIT ?`
  const where = `m.session_id = ? AND m.id IN (${newest})`
  const values = [sessionId, sessionId, before, hiddenBy, limit]
  return (await messagesWhere(queries, '', where, values, 'queued_at')).reverse()
}

/** Messages; a reply that is being written comes with what its run's log holds beyond its parts. */
async function conversation(
  queries: ReadQueries,
  before: string,
  where: string,
  values: (string | number)[],
): Promise<StoredMessage[]> {
  return withTails(queries, await messagesWhere(queries, before, where, values))
}

/** Parts come by a join: a statement takes fewer values than there may be messages. */
async function messagesWhere(
  queries: ReadQueries,
  before: string,
  where: string,
  values: (string | number)[],
  order: 'seq' | 'queued_at' = 'seq',
): Promise<StoredMessage[]> {
  const messages = await queries.$queryRawUnsafe<ChatMessage[]>(
    `SELECT ${MESSAGE} FROM ${before} chat_messages m WHERE ${where} ORDER BY m.${order}`,
    ...values,
  )
  const parts = await queries.$queryRawUnsafe<ChatPart[]>(
    `SELECT ${PART}
     FROM ${before} chat_messages m ${queries.dialect.join} chat_parts p ON p.message_id = m.id
     WHERE ${where} ORDER BY m.${order}, p."index"`,
    ...values,
  )
  const partsOf = Map.groupBy(parts, (part) => part.messageId)
  return messages.map((message) =>
    toStoredMessage({ ...message, parts: partsOf.get(message.id) ?? [] }, queries.note),
  )
}
