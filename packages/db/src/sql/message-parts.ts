import type { StoredPart } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatPart } from '../generated/client.ts'
import { toStoredPart } from '../rows/part-row.ts'

/** The parts of a message, in order. */
export async function messageParts(queries: ReadQueries, messageId: string): Promise<StoredPart[]> {
  const rows = await queries.$queryRawUnsafe<ChatPart[]>(
    `SELECT id, "index", type, data_json AS "dataJson", pruned_at AS "prunedAt"
     FROM chat_parts WHERE message_id = ? ORDER BY "index"`,
    messageId,
  )
  return rows.map(toStoredPart)
}
