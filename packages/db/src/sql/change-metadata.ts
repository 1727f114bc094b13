import { MESSAGE_METADATA_KEYS, parseStored } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { updateMessage } from './message-rows.ts'

export type MetadataTarget = { sessionId: string; messageId: string; at: number }

type Metadata = Parameters<typeof metadataColumns>[0]

/** Rewrites a message's metadata. False when there is no such message, or its metadata cannot be read. */
export async function changeMetadata(
  queries: RawQueries,
  { sessionId, messageId, at }: MetadataTarget,
  change: (metadata: Metadata) => Metadata,
): Promise<boolean> {
  const [row] = await queries.$queryRawUnsafe<{ metadataJson: string }[]>(
    'SELECT metadata_json AS "metadataJson" FROM chat_messages WHERE id = ? AND session_id = ?',
    messageId,
    sessionId,
  )
  const metadata = row === undefined ? null : parseStored(row.metadataJson, MESSAGE_METADATA_KEYS)
  if (metadata === null) return false
  // Only `metadataColumns` writes the column.
  const changed = change(metadata as Metadata)
  return updateMessage(queries, messageId, { ...metadataColumns(changed), updated_at: at })
}

/** Marks a message as left out of what the model sees, or as no longer so; false as `changeMetadata`. */
export function setLeftOut(queries: RawQueries, target: MetadataTarget, left: boolean): Promise<boolean> {
  return changeMetadata(queries, target, ({ leftOut: _, ...metadata }) =>
    left ? { ...metadata, leftOut: true } : metadata,
  )
}
