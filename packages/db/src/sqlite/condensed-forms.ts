import { type CondensedOutputs, MESSAGE_METADATA_KEYS, parseStored } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { writeMetadata } from '../rows/message-row.ts'

/**
 * Adds condensed forms to a message's metadata, beside those that are there. False when there is no such message, or its
 * metadata cannot be read.
 */
export async function addCondensed(
  queries: RawQueries,
  {
    sessionId,
    messageId,
    condensed,
    at,
  }: { sessionId: string; messageId: string; condensed: CondensedOutputs; at: number },
): Promise<boolean> {
  const [row] = await queries.$queryRawUnsafe<{ metadataJson: string }[]>(
    'SELECT metadata_json AS metadataJson FROM chat_messages WHERE id = ? AND session_id = ?',
    messageId,
    sessionId,
  )
  const metadata = row === undefined ? null : parseStored(row.metadataJson, MESSAGE_METADATA_KEYS)
  if (metadata === null) return false
  // Only `writeMetadata` writes the column.
  const message = metadata as Parameters<typeof writeMetadata>[0]
  const forms = { ...condensed, ...message.condensed }
  await queries.$executeRawUnsafe(
    'UPDATE chat_messages SET metadata_json = ?, updated_at = ? WHERE id = ?',
    writeMetadata({ ...message, condensed: forms }),
    at,
    messageId,
  )
  return true
}
