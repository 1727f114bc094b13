import {
  AppError,
  assertQueueCapacity,
  decodeNumberCursor,
  type StoredMessage,
} from '@palimpsest/core/domain'
import type { Page, QueueStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { hashesOfMessage, setPending } from '../sql/blob-rows.ts'
import { updateMessage } from '../sql/message-rows.ts'
import { messagesInQueue, messagesOutOfQueue } from '../sql/placed-messages.ts'
import { hasQueued, markQueue, nextPlace, takeMarkedQueues } from '../sql/queue-rows.ts'
import { existingSession, openSession, touchSession } from './session-changes.ts'
import { existingMessage, insertMessage, insertParts } from './stored-messages.ts'

/** What hides a message that was taken out of the queue. */
const CANCELLED = 'cancelled'

export function createQueueStore(database: Database): QueueStore {
  return {
    add: (message, at) =>
      database.write(async (queries) => {
        const { sessionId } = message
        await openSession(queries, sessionId)
        assertQueueCapacity(await queuedMessages(queries, sessionId), message.parts)
        await touchSession(queries, sessionId, at)
        return insertMessage(queries, message, { queuedAt: await nextPlace(queries, sessionId, at), at })
      }),
    list: (sessionId) => database.read((queries) => queuedMessages(queries, sessionId)),
    edit: (sessionId, messageId, patch, at) =>
      database.write(async (queries) => {
        const { metadata } = await waitingMessage(queries, sessionId, messageId)
        await touchSession(queries, sessionId, at)
        if (patch.parts !== undefined) {
          const waiting = await queuedMessages(queries, sessionId)
          assertQueueCapacity(
            waiting.filter(({ id }) => id !== messageId),
            patch.parts,
          )
          const former = await hashesOfMessage(queries, messageId)
          await queries.$executeRawUnsafe('DELETE FROM chat_parts WHERE message_id = ?', messageId)
          await insertParts(queries, { id: messageId, sessionId, parts: patch.parts, at })
          await setPending(queries, former, at)
        }
        const columns = metadataColumns({ ...metadata, ...patch.metadata })
        await updateMessage(queries, messageId, { ...columns, updated_at: at })
        return existingMessage(queries, sessionId, messageId)
      }),
    cancel: (sessionId, messageId, at) =>
      database.write(async (queries) => {
        await waitingMessage(queries, sessionId, messageId)
        await touchSession(queries, sessionId, at)
        await updateMessage(queries, messageId, { hidden_at: at, hidden_by: CANCELLED, updated_at: at })
      }),
    cancelled: (query) => database.read((queries) => cancelled(queries, query)),
    restore: (sessionId, messageId, at) =>
      database.write(async (queries) => {
        const { queuedAt, hiddenBy, parts } = await existingMessage(queries, sessionId, messageId)
        await openSession(queries, sessionId)
        if (queuedAt === null || hiddenBy !== CANCELLED)
          throw new AppError('CONFLICT', 'This message was not cancelled.')
        const waiting = await queuedMessages(queries, sessionId)
        assertQueueCapacity(
          waiting,
          parts.map(({ data }) => data),
        )
        await touchSession(queries, sessionId, at)
        const queued_at = await nextPlace(queries, sessionId, at)
        await updateMessage(queries, messageId, {
          hidden_at: null,
          hidden_by: null,
          queued_at,
          updated_at: at,
        })
        return existingMessage(queries, sessionId, messageId)
      }),
    markForNextStart: (sessionId) => database.write((queries) => markQueue(queries, sessionId)),
    takeMarked: () => database.write(takeMarkedQueues),
    reorder: (sessionId, messageIds, at) =>
      database.write((queries) => reorder(queries, sessionId, messageIds, at)),
  }
}

async function cancelled(
  queries: ReadQueries,
  { sessionId, limit, cursor }: Parameters<QueueStore['cancelled']>[0],
): Promise<Page<StoredMessage>> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumberCursor(cursor)
  const { items, more } = await messagesOutOfQueue(queries, { sessionId, hiddenBy: CANCELLED, before, limit })
  return { items, nextCursor: more ? String(items.at(-1)?.queuedAt) : null }
}

export async function queuedMessages(queries: ReadQueries, sessionId: string): Promise<StoredMessage[]> {
  return (await hasQueued(queries, sessionId)) ? messagesInQueue(queries, sessionId) : []
}

/** The queued message; `CONFLICT` once it has fired or was cancelled. */
export async function waitingMessage(
  queries: ReadQueries,
  sessionId: string,
  messageId: string,
): Promise<StoredMessage> {
  const message = await existingMessage(queries, sessionId, messageId)
  if (message.queuedAt === null || message.hiddenAt !== null) {
    throw new AppError('CONFLICT', 'This message no longer waits in the queue.')
  }
  return message
}

async function reorder(
  queries: RawQueries,
  sessionId: string,
  messageIds: string[],
  at: number,
): Promise<StoredMessage[]> {
  await existingSession(queries, sessionId)
  const queued = await queuedMessages(queries, sessionId)
  if (
    messageIds.toSorted().join() !==
    queued
      .map(({ id }) => id)
      .toSorted()
      .join()
  ) {
    throw new AppError('CONFLICT', 'The queue has changed since it was read.')
  }
  await touchSession(queries, sessionId, at)
  for (const [place, { queuedAt }] of queued.entries()) {
    await updateMessage(queries, messageIds[place] ?? '', { queued_at: queuedAt, updated_at: at })
  }
  return queuedMessages(queries, sessionId)
}
