import {
  type CondensedOutputs,
  MESSAGE_METADATA_KEYS,
  parseStored,
  withFormUsed,
} from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { updateMessage } from './message-rows.ts'

type Target = { sessionId: string; messageId: string; at: number }

/**
 * Adds condensed forms to a message's metadata, beside those that are there. False when there is no such message, or its
 * metadata cannot be read.
 */
export function addCondensed(
  queries: RawQueries,
  { condensed, ...target }: Target & { condensed: CondensedOutputs },
): Promise<boolean> {
  return changeForms(queries, target, (forms) => ({ ...condensed, ...forms }))
}

/** Puts the form of a call in use or out of it; false as `addCondensed`. */
export function setFormUsed(
  queries: RawQueries,
  { toolCallId, used, ...target }: Target & { toolCallId: string; used: boolean },
): Promise<boolean> {
  return changeForms(queries, target, (forms) => withFormUsed(forms, toolCallId, used))
}

async function changeForms(
  queries: RawQueries,
  { sessionId, messageId, at }: Target,
  change: (forms: CondensedOutputs) => CondensedOutputs,
): Promise<boolean> {
  const [row] = await queries.$queryRawUnsafe<{ metadataJson: string }[]>(
    'SELECT metadata_json AS "metadataJson" FROM chat_messages WHERE id = ? AND session_id = ?',
    messageId,
    sessionId,
  )
  const metadata = row === undefined ? null : parseStored(row.metadataJson, MESSAGE_METADATA_KEYS)
  if (metadata === null) return false
  // Only `metadataColumns` writes the column.
  const message = metadata as Parameters<typeof metadataColumns>[0]
  const changed = { ...message, condensed: change(message.condensed ?? {}) }
  return updateMessage(queries, messageId, { ...metadataColumns(changed), updated_at: at })
}
