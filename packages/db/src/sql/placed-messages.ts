import { pageLength, type SeqRange, type StoredMessage, type StoredPart } from '@palimpsest/core/domain'
import type { MessageQuery, RunLease } from '@palimpsest/core/ports'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatMessage, ChatPart } from '../generated/client.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { toStoredPart } from '../rows/part-row.ts'
import { columnsAs } from './columns.ts'
import { PART_COLUMNS, readParts } from './large-parts.ts'
import { withTails } from './run-log.ts'

const MESSAGE = columnsAs('message', 'm')
const VISIBLE = 'm.session_id = ? AND m.seq IS NOT NULL AND m.hidden_at IS NULL'
const BY_ID = 'm.id = ? AND m.session_id = ?'
const IN_RANGES = `m.session_id = ?
  AND m.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER)`

/** What the next model call may see, in order. */
export function visibleMessages(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  return conversation(queries, '', VISIBLE, [sessionId])
}

/** The messages at these places, hidden ones included, in order; `and` is a further condition. */
export function messagesInRanges(
  queries: ReadQueries,
  sessionId: string,
  ranges: readonly SeqRange[],
  and = '',
): Promise<StoredMessage[]> {
  const { rows, join } = queries.dialect
  const values = [JSON.stringify(ranges), sessionId]
  return conversation(queries, `${rows} r ${join}`, `${IN_RANGES} ${and}`, values)
}

/** Those of them whose run has changed files. */
export async function fileChangesInRanges(
  queries: ReadQueries,
  sessionId: string,
  ranges: readonly SeqRange[],
): Promise<StoredMessage[]> {
  const mayHaveOne = `AND m.metadata_json LIKE '%"workspace":{%'`
  const found = await messagesInRanges(queries, sessionId, ranges, mayHaveOne)
  return found.filter(({ metadata }) => metadata.workspace !== undefined)
}

/** The newest messages before a place that one page holds, in order, and whether there are more. */
export async function messagesBefore(
  queries: ReadQueries,
  { sessionId, seq, limit, hidden, places }: Omit<MessageQuery, 'cursor'> & { seq: number },
): Promise<{ items: StoredMessage[]; more: boolean }> {
  const { rows, join } = queries.dialect
  const within = `m.id IN (SELECT c.id FROM ${rows} r ${join} chat_messages c WHERE c.session_id = ?
    AND c.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER))`
  const before = [
    'm.session_id = ? AND m.seq < ?',
    ...(hidden ? [] : ['m.hidden_at IS NULL']),
    ...(places === undefined ? [] : [within]),
  ].join(' AND ')
  const values = [sessionId, seq, ...(places === undefined ? [] : [JSON.stringify(places), sessionId])]
  const page = await pageOf(queries, `${before} ORDER BY m.seq DESC`, values, limit)
  return { ...page, items: await withTails(queries, page.items) }
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

const SIZE = '(SELECT sum(octet_length(p.data_json)) FROM chat_parts p WHERE p.message_id = m.id)'

/** The bytes of the parts of each of these messages. */
export async function messageSizes(queries: ReadQueries, ids: string[]): Promise<Map<string, number>> {
  const { texts, join } = queries.dialect
  const rows = await queries.$queryRawUnsafe<{ id: string; size: number | bigint | null }[]>(
    `SELECT m.id, ${SIZE} AS size FROM ${texts} r ${join} chat_messages m WHERE m.id = r.value`,
    JSON.stringify(ids),
  )
  return new Map(rows.map(({ id, size }) => [id, Number(size)]))
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

/** Messages that were taken out of the queue unsent, the last queued first, as many as one page holds. */
export async function messagesOutOfQueue(
  queries: ReadQueries,
  {
    sessionId,
    hiddenBy,
    before,
    limit,
  }: { sessionId: string; hiddenBy: string; before: number; limit: number },
): Promise<{ items: StoredMessage[]; more: boolean }> {
  const newest = 'm.session_id = ? AND m.queued_at < ? AND m.hidden_by = ? ORDER BY m.queued_at DESC'
  const { items, more } = await pageOf(queries, newest, [sessionId, before, hiddenBy], limit, 'queued_at')
  return { items: items.reverse(), more }
}

/** The first messages of this choice, which is in descending order, as many as one page holds, in ascending order. */
async function pageOf(
  queries: ReadQueries,
  chosen: string,
  values: (string | number)[],
  limit: number,
  order?: 'queued_at',
): Promise<{ items: StoredMessage[]; more: boolean }> {
  const sizes = await queries.$queryRawUnsafe<{ id: string; size: number | bigint | null }[]>(
    `SELECT m.id, ${SIZE} AS size FROM chat_messages m WHERE ${chosen} LIMIT ?`,
    ...values,
    limit + 1,
  )
  const length = pageLength(
    sizes.map(({ size }) => Number(size)),
    limit,
  )
  const ids = JSON.stringify(sizes.slice(0, length).map(({ id }) => id))
  const { texts, join } = queries.dialect
  const items = await messagesWhere(queries, `${texts} r ${join}`, 'm.id = r.value', [ids], order)
  return { items, more: sizes.length > length }
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
    `SELECT ${PART_COLUMNS}
     FROM ${before} chat_messages m ${queries.dialect.join} chat_parts p ON p.message_id = m.id
     WHERE ${where} ORDER BY m.${order}, p."index"`,
    ...values,
  )
  const rowsOf = Map.groupBy(parts, (part) => part.messageId)
  const read: StoredMessage[] = []
  for (const message of messages)
    read.push(toStoredMessage(message, await readParts(queries, rowsOf.get(message.id) ?? []), queries.note))
  return read
}

/** Excludes summaries of compactions, which have the run's id too. */
const REPLY = `SELECT seq FROM chat_messages
  WHERE session_id = ? AND seq IS NOT NULL AND role = 'assistant' AND run_id = ?
    AND compaction_id IS NULL
  ORDER BY seq DESC LIMIT 1`

/** The message that a run writes, or null while it has written nothing. */
export async function replyOfRun(
  queries: ReadQueries,
  { sessionId, runId }: Pick<RunLease, 'sessionId' | 'runId'>,
): Promise<StoredMessage | null> {
  const [row] = await queries.$queryRawUnsafe<{ seq: number }[]>(REPLY, sessionId, runId)
  if (row === undefined) return null
  const seq = Number(row.seq)
  const [message] = await messagesInRanges(queries, sessionId, [[seq, seq]])
  return message ?? null
}

/** The parts of a message, in order. */
export async function messageParts(queries: ReadQueries, messageId: string): Promise<StoredPart[]> {
  const rows = await queries.$queryRawUnsafe<ChatPart[]>(
    `SELECT id, "index", type, data_json AS "dataJson", pruned_at AS "prunedAt"
     FROM chat_parts WHERE message_id = ? ORDER BY "index"`,
    messageId,
  )
  return rows.map(toStoredPart)
}
