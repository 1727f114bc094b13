import type { SeqRange, StoredMessage } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatMessage, ChatPart } from '../generated/client.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { columnsAs } from './columns.ts'
import { PART_COLUMNS, readParts } from './large-parts.ts'
import { withTails } from './run-log.ts'

const MESSAGE = columnsAs('message', 'm')
const VISIBLE = 'm.session_id = ? AND m.seq IS NOT NULL AND m.hidden_at IS NULL'
const IN_RANGES = `m.session_id = ?
  AND m.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER)`

/** What the next model call may see, in order. */
export function visibleMessages(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  return conversation(queries, sessionId, '', VISIBLE, [sessionId])
}

/** The messages at these places, hidden ones included, in order. */
export function messagesInRanges(
  queries: ReadQueries,
  sessionId: string,
  ranges: readonly SeqRange[],
): Promise<StoredMessage[]> {
  const { rows, join } = queries.dialect
  const values = [JSON.stringify(ranges), sessionId]
  return conversation(queries, sessionId, `${rows} r ${join}`, IN_RANGES, values)
}

type Before = { sessionId: string; seq: number; limit: number; hidden: boolean }

/** The newest messages before a place, in order. */
export function messagesBefore(
  queries: ReadQueries,
  { sessionId, seq, limit, hidden }: Before,
): Promise<StoredMessage[]> {
  return conversation(queries, sessionId, '', newestBefore(hidden), [sessionId, sessionId, seq, limit])
}

/** The bytes of the same messages' parts, the newest message first. */
export async function sizesBefore(
  queries: ReadQueries,
  { sessionId, seq, limit, hidden }: Before,
): Promise<number[]> {
  const rows = await queries.$queryRawUnsafe<{ bytes: number }[]>(
    `SELECT coalesce(sum(octet_length(p.data_json)), 0) AS bytes
     FROM chat_messages m LEFT JOIN chat_parts p ON p.message_id = m.id
     WHERE ${newestBefore(hidden)} GROUP BY m.seq ORDER BY m.seq DESC`,
    sessionId,
    sessionId,
    seq,
    limit,
  )
  return rows.map(({ bytes }) => Number(bytes))
}

function newestBefore(hidden: boolean): string {
  const before = `session_id = ? AND seq < ?${hidden ? '' : ' AND hidden_at IS NULL'}`
  const newest = `SELECT seq FROM chat_messages WHERE ${before} ORDER BY seq DESC LIMIT ?`
  return `m.session_id = ? AND m.seq IN (${newest})`
}

/** Any message of the session: hidden and queued ones included. */
export async function messageById(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage | null> {
  const where = 'm.id = ? AND m.session_id = ?'
  const found = await conversation(queries, sessionId, '', where, [messageId, sessionId])
  return found[0] ?? null
}

/** The messages with these ids, in no order. */
export function messagesByIds(queries: ReadQueries, ids: string[]): Promise<StoredMessage[]> {
  const { texts, join } = queries.dialect
  return messagesWhere(queries, `${texts} r ${join}`, 'm.id = r.value', [JSON.stringify(ids)])
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

/** Messages of one session; a reply that is being written comes with what its run's log holds beyond its parts. */
async function conversation(
  queries: ReadQueries,
  sessionId: string,
  before: string,
  where: string,
  values: (string | number)[],
): Promise<StoredMessage[]> {
  return withTails(queries, sessionId, await messagesWhere(queries, before, where, values))
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
    `SELECT ${PART_COLUMNS}
     FROM ${before} chat_messages m ${queries.dialect.join} chat_parts p ON p.message_id = m.id
     WHERE ${where} ORDER BY m.${order}, p."index"`,
    ...values,
  )
  const rowsOf = Map.groupBy(parts, (part) => part.messageId)
  const read: StoredMessage[] = []
  for (const message of messages)
    read.push(toStoredMessage(message, await readParts(queries, rowsOf.get(message.id) ?? [])))
  return read
}
