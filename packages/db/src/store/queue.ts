import { AppError, checkQueueRoom, type StoredMessage } from '@palimpsest/core/domain'
import type { QueueStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { Queries } from '../connect/queries.ts'
import type { ReadQueries } from '../connect/statements.ts'
import { writeMetadata } from '../rows/message-row.ts'
import { hasQueued } from '../sqlite/has-queued.ts'
import { messagesInQueue } from '../sqlite/placed-messages.ts'
import { existingSession, openSession, touchSession } from './session-changes.ts'
import { existingMessage, insertMessage, insertParts } from './stored-messages.ts'

export function createQueueStore(database: Database): QueueStore {
  return {
    add: (message, at) =>
      database.write(async (queries) => {
        const { sessionId } = message
        await openSession(queries, sessionId)
        const queued = await queuedMessages(queries, sessionId)
        checkQueueRoom(queued)
        const last = queued.at(-1)?.queuedAt ?? 0
        await touchSession(queries, sessionId, at)
        return insertMessage(queries, message, { queuedAt: Math.max(at, last + 1), at })
      }),
    list: (sessionId) => database.read((queries) => queuedMessages(queries, sessionId)),
    edit: (sessionId, messageId, patch, at) =>
      database.write(async (queries) => {
        const { metadata } = await waitingMessage(queries, sessionId, messageId)
        await touchSession(queries, sessionId, at)
        if (patch.parts !== undefined) {
          await queries.prisma.chatPart.deleteMany({ where: { messageId } })
          await insertParts(queries, { id: messageId, sessionId, parts: patch.parts, at })
        }
        const metadataJson = writeMetadata({ ...metadata, ...patch.metadata })
        await queries.prisma.chatMessage.update({
          where: { id: messageId },
          data: { metadataJson, updatedAt: at },
        })
        return existingMessage(queries, sessionId, messageId)
      }),
    cancel: (sessionId, messageId, at) =>
      database.write(async (queries) => {
        await waitingMessage(queries, sessionId, messageId)
        await touchSession(queries, sessionId, at)
        const data = { hiddenAt: at, hiddenBy: 'cancelled', updatedAt: at }
        await queries.prisma.chatMessage.update({ where: { id: messageId }, data })
      }),
    reorder: (sessionId, messageIds, at) =>
      database.write((queries) => reorder(queries, sessionId, messageIds, at)),
  }
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
  queries: Queries,
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
    const id = messageIds[place] ?? ''
    await queries.prisma.chatMessage.update({ where: { id }, data: { queuedAt, updatedAt: at } })
  }
  return queuedMessages(queries, sessionId)
}
