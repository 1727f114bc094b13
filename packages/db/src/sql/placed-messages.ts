import { setImmediate } from 'node:timers/promises'
import { pageLength, type SeqRange, type StoredMessage, type StoredPart } from '@palimpsest/core/domain'
import type { MessageQuery, RunLease } from '@palimpsest/core/ports'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatPart } from '../generated/client.ts'
import { toStoredPart } from '../rows/part-row.ts'
import { type Chosen, messagesWhere } from './messages-where.ts'
import { withTails } from './run-log.ts'

/** Messages that one statement reads of many. */
const PAGE = 250

const VISIBLE = 'm.session_id = ? AND m.seq IS NOT NULL AND m.hidden_at IS NULL'
const BY_ID = 'm.id = ? AND m.session_id = ?'
const IN_RANGES = `m.session_id = ?
  AND m.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER)`

/** What the next model call may see, in order. */
export async function visibleMessages(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  return await withTails(queries, await inOrder(queries, VISIBLE, [sessionId]))
}

/** The messages at these places, hidden ones included, in order; `and` is a further condition. */
export async function messagesInRanges(
  queries: ReadQueries,
  sessionId: string,
  ranges: readonly SeqRange[],
  and = '',
): Promise<StoredMessage[]> {
  const { rows, join } = queries.dialect
  const found: StoredMessage[] = []
  for (const [at, some] of inPages(ranges).entries()) {
    if (at > 0) await setImmediate()
    const [range] = some
    const isLong = range !== undefined && placesIn(range) > PAGE
    const values = [JSON.stringify(some), sessionId]
    const chosen = { from: `${rows} r ${join}`, where: `${IN_RANGES} ${and}`, values }
    const read = isLong
      ? await inOrder(queries, `m.session_id = ? AND m.seq <= ? ${and}`, [sessionId, range[1]], range[0] - 1)
      : await messagesWhere(queries, chosen)
    for (const message of read) found.push(message)
  }
  return await withTails(queries, found)
}

/** The messages of a choice with places behind `after`, in order, a page at a time. */
async function inOrder(
  queries: ReadQueries,
  where: string,
  values: (string | number)[],
  after = Number.MIN_SAFE_INTEGER,
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = []
  for (let last: number | null = after; last !== null; ) {
    const page = { where: `${where} AND m.seq > ?`, values: [...values, last], limit: PAGE }
    const read = await messagesWhere(queries, page)
    for (const message of read) found.push(message)
    last = read.length < PAGE ? null : (read.at(-1)?.seq ?? null)
    if (last !== null) await setImmediate()
  }
  return found
}

/** The ranges in lists of at most a page of places, each longer range by itself. */
function inPages(ranges: readonly SeqRange[]): SeqRange[][] {
  const pages: SeqRange[][] = []
  let left = 0
  for (const range of ranges) {
    const places = placesIn(range)
    if (places > left) pages.push([])
    left = places > left ? PAGE - places : left - places
    pages.at(-1)?.push(range)
  }
  return pages
}

function placesIn([from, to]: SeqRange): number {
  return to - from + 1
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
  { sessionId, seq, limit, hidden, places, role }: Omit<MessageQuery, 'cursor'> & { seq: number },
): Promise<{ items: StoredMessage[]; more: boolean }> {
  const { rows, join } = queries.dialect
  const within = `m.id IN (SELECT c.id FROM ${rows} r ${join} chat_messages c WHERE c.session_id = ?
    AND c.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER))`
  const before = [
    'm.session_id = ? AND m.seq < ?',
    ...(hidden ? [] : ['m.hidden_at IS NULL']),
    ...(role === undefined ? [] : ['m.role = ?']),
    ...(places === undefined ? [] : [within]),
  ].join(' AND ')
  const of = role === undefined ? [] : [role]
  const values = [sessionId, seq, ...of, ...(places === undefined ? [] : [JSON.stringify(places), sessionId])]
  const page = await pageOf(queries, `${before} ORDER BY m.seq DESC`, values, limit)
  return { ...page, items: await withTails(queries, page.items) }
}

/** Any message of the session: hidden and queued ones included. */
export async function messageById(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage | null> {
  const found = await messagesWhere(queries, { where: BY_ID, values: [messageId, sessionId] })
  return (await withTails(queries, found))[0] ?? null
}

/** The same as its rows hold it. */
export async function storedMessage(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage | null> {
  const found = await messagesWhere(queries, { where: BY_ID, values: [messageId, sessionId] })
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
export async function messagesByIds(queries: ReadQueries, ids: string[]): Promise<StoredMessage[]> {
  return await withTails(queries, await messagesWhere(queries, withIds(queries, ids)))
}

/** The messages that wait, in the order of the queue. */
export function messagesInQueue(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  const where = 'm.session_id = ? AND m.queued_at IS NOT NULL AND m.hidden_at IS NULL'
  return messagesWhere(queries, { where, values: [sessionId], order: 'queued_at' })
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
  const ids = sizes.slice(0, length).map(({ id }) => id)
  const items = await messagesWhere(queries, { ...withIds(queries, ids), ...(order && { order }) })
  return { items, more: sizes.length > length }
}

function withIds({ dialect }: ReadQueries, ids: readonly string[]): Chosen {
  const { texts, join } = dialect
  return { from: `${texts} r ${join}`, where: 'm.id = r.value', values: [JSON.stringify(ids)] }
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
