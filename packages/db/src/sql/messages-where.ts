import type { StoredMessage, StoredPart } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatMessage, ChatPart } from '../generated/client.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { columnsAs } from './columns.ts'
import { createReadPace, PART_COLUMNS, type ReadPace, readPart } from './large-parts.ts'

const MESSAGE = columnsAs('message', 'm')

/** Parts that one statement reads. */
const PARTS = 500

/** A choice of messages `m` in SQL, and the tables that it takes beside theirs. */
export type Chosen = {
  from?: string
  where: string
  values: (string | number)[]
  order?: 'seq' | 'queued_at'
  limit?: number
}

/** The first `limit` of the chosen messages in their order, whole. */
export async function messagesWhere(
  queries: ReadQueries,
  { from = '', where, values, order = 'seq', limit }: Chosen,
): Promise<StoredMessage[]> {
  const end = limit === undefined ? '' : `LIMIT ${limit}`
  const rows = await queries.$queryRawUnsafe<ChatMessage[]>(
    `SELECT ${MESSAGE} FROM ${from} chat_messages m WHERE ${where} ORDER BY m.${order} ${end}`,
    ...values,
  )
  if (rows.length === 0) return []
  const pace = createReadPace()
  const ids = rows.map(({ id }) => id)
  const parts = await partsOf(queries, ids, pace)
  const messages: StoredMessage[] = []
  for (const row of rows) {
    await pace(row.metadataJson.length)
    messages.push(toStoredMessage(row, parts.get(row.id) ?? [], queries.note))
  }
  return messages
}

/** The parts of these messages by message, in order. */
async function partsOf(
  queries: ReadQueries,
  messageIds: readonly string[],
  pace: ReadPace,
): Promise<Map<string, StoredPart[]>> {
  const parts = new Map<string, StoredPart[]>(messageIds.map((id) => [id, []]))
  const { texts } = queries.dialect
  const sql = `SELECT ${PART_COLUMNS} FROM chat_parts p
    WHERE p.message_id IN (SELECT value FROM ${texts} ids)
      AND (p.message_id > ? OR (p.message_id = ? AND p."index" > ?))
    ORDER BY p.message_id, p."index" LIMIT ${PARTS}`
  const ids = JSON.stringify(messageIds)
  let last: Pick<ChatPart, 'messageId' | 'index'> | undefined = { messageId: '', index: 0 }
  while (last !== undefined) {
    const { messageId, index }: Pick<ChatPart, 'messageId' | 'index'> = last
    const after = [messageId, messageId, index]
    const rows: ChatPart[] = await queries.$queryRawUnsafe<ChatPart[]>(sql, ids, ...after)
    for (const row of rows) parts.get(row.messageId)?.push(await readPart(queries, row, pace))
    last = rows.length < PARTS ? undefined : rows.at(-1)
  }
  return parts
}
