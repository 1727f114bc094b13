import {
  AppError,
  createId,
  type ModelRef,
  type StoredMessage,
  searchableText,
} from '@palimpsest/core/domain'
import type { NewMessage, PartWrite } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { assertBlobs } from '../sql/blob-rows.ts'
import { addMessage, takeSeq, updateMessage } from '../sql/message-rows.ts'
import { messageById } from '../sql/placed-messages.ts'
import { writeParts } from '../sql/record-writes.ts'
import { indexMessage } from '../sqlite/search-index.ts'

/** `MESSAGE_NOT_FOUND`. */
export async function existingMessage(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage> {
  return (await messageById(queries, sessionId, messageId)) ?? missingMessage()
}

/** Writes a message with its parts, last in its session or queued. `CONFLICT` when its id is taken. */
export async function insertMessage(
  queries: RawQueries,
  message: NewMessage,
  { queuedAt, at }: { queuedAt: number | null; at: number },
): Promise<StoredMessage> {
  const added = await addMessage(queries, message, { queuedAt, createdAt: message.metadata.createdAt, at })
  if (added === null) throw new AppError('CONFLICT', 'Another message has this id.')
  const parts = await insertParts(queries, { ...message, at })
  return {
    ...message,
    ...added,
    parts: parts.map((part) => ({ ...part, prunedAt: null })),
    hiddenAt: null,
    hiddenBy: null,
    queuedAt,
    createdAt: message.metadata.createdAt,
    updatedAt: at,
  }
}

export async function insertParts(
  queries: RawQueries,
  { id, sessionId, parts, at }: Pick<NewMessage, 'id' | 'sessionId' | 'parts'> & { at: number },
): Promise<PartWrite[]> {
  const written = parts.map((data, index) => ({ id: createId('prt'), index, data }))
  await assertBlobs(queries, parts)
  await writeParts(queries, { messageId: id, sessionId, parts: written, at })
  return written
}

/** Takes a message out of the queue, gives it its place, and hides it there when `hiddenBy` says so. */
export async function placeQueued(
  queries: RawQueries,
  { id, sessionId, metadata }: StoredMessage,
  { runId, at, hiddenBy, model }: { runId: string; at: number; hiddenBy: string | null; model?: ModelRef },
): Promise<StoredMessage> {
  await updateMessage(queries, id, {
    ...metadataColumns({ ...(model && { model }), ...metadata, runId }),
    seq: await takeSeq(queries, sessionId),
    queued_at: null,
    hidden_at: hiddenBy === null ? null : at,
    hidden_by: hiddenBy,
    updated_at: at,
  })
  const message = await existingMessage(queries, sessionId, id)
  await makeSearchable(queries, message)
  return message
}

/** Lets searches find a message whose text will not change any more. */
export async function makeSearchable(
  queries: RawQueries,
  { id, sessionId, parts }: Pick<StoredMessage, 'id' | 'sessionId' | 'parts'>,
): Promise<void> {
  const text = searchableText(parts.map(({ data }) => data))
  await indexMessage(queries, { sessionId, messageId: id, text })
}

export function missingMessage(): never {
  throw new AppError('MESSAGE_NOT_FOUND', 'This message does not exist in the session.')
}
