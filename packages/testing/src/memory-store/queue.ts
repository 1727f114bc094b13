import {
  AppError,
  assertQueueCapacity,
  blobsIn,
  createId,
  decodeNumberCursor,
  pageLength,
  type StoredMessage,
  type StoredPart,
} from '@palimpsest/core/domain'
import type { NewMessage, Page, QueueStore } from '@palimpsest/core/ports'
import { assertBlobs, nameBlobs, setPending } from './blobs.ts'
import {
  atomically,
  copy,
  existingMessage,
  existingSession,
  type MemoryTables,
  makeSearchable,
  messagesOf,
  nextSeq,
  queuedOf,
  sizeOf,
  touch,
} from './tables.ts'

export function createMemoryQueue(tables: MemoryTables): QueueStore {
  const note = (sessionId: string, at: number) => touch(tables, existingSession(tables, sessionId), at)

  return {
    add: (message, at) =>
      atomically(() => {
        const session = existingSession(tables, message.sessionId)
        if (session.archivedAt !== null) throw new AppError('SESSION_ARCHIVED', 'This session is archived.')
        assertQueueCapacity(queuedOf(tables, message.sessionId), message.parts)
        const queuedAt = lastPlace(tables, message.sessionId, at)
        const stored = insertMessage(tables, message, { seq: null, queuedAt, at })
        touch(tables, session, at)
        return stored
      }),
    list: (sessionId) => atomically(() => queuedOf(tables, sessionId)),
    edit: (sessionId, messageId, patch, at) =>
      atomically(() => {
        const message = waiting(tables, sessionId, messageId)
        if (patch.parts !== undefined) {
          const others = queuedOf(tables, sessionId).filter(({ id }) => id !== messageId)
          assertQueueCapacity(others, patch.parts)
          assertBlobs(tables, patch.parts)
          nameBlobs(tables, patch.parts)
          const former = message.parts.flatMap(({ data }) => blobsIn(data))
          message.parts = newParts(patch.parts)
          setPending(tables, former, at)
        }
        note(sessionId, at)
        message.metadata = copy({ ...message.metadata, ...patch.metadata })
        message.updatedAt = at
        return message
      }),
    cancel: (sessionId, messageId, at) =>
      atomically(() => {
        const message = waiting(tables, sessionId, messageId)
        note(sessionId, at)
        Object.assign(message, { hiddenAt: at, hiddenBy: 'cancelled', updatedAt: at })
      }),
    cancelled: (query) => atomically(() => cancelled(tables, query)),
    restore: (sessionId, messageId, at) =>
      atomically(() => {
        const message = existingMessage(tables, sessionId, messageId)
        const session = existingSession(tables, sessionId)
        if (session.archivedAt !== null) throw new AppError('SESSION_ARCHIVED', 'This session is archived.')
        if (message.hiddenBy !== 'cancelled' || message.queuedAt === null)
          throw new AppError('CONFLICT', 'This message was not cancelled.')
        const parts = message.parts.map(({ data }) => data)
        assertQueueCapacity(queuedOf(tables, sessionId), parts)
        touch(tables, session, at)
        const queuedAt = lastPlace(tables, sessionId, at)
        return Object.assign(message, { hiddenAt: null, hiddenBy: null, queuedAt, updatedAt: at })
      }),
    markForNextStart: (sessionId) => atomically(() => void tables.marked.add(sessionId)),
    takeMarked: () =>
      atomically(() => {
        const marked = [...tables.marked]
        tables.marked.clear()
        return marked
      }),
    reorder: (sessionId, messageIds, at) =>
      atomically(() => {
        existingSession(tables, sessionId)
        const queued = queuedOf(tables, sessionId)
        const places = queued.map((message) => message.queuedAt)
        if (
          messageIds.toSorted().join() !==
          queued
            .map(({ id }) => id)
            .toSorted()
            .join()
        ) {
          throw new AppError('CONFLICT', 'The queue has changed since it was read.')
        }
        note(sessionId, at)
        for (const message of queued) {
          message.queuedAt = places[messageIds.indexOf(message.id)] ?? message.queuedAt
          message.updatedAt = at
        }
        return queuedOf(tables, sessionId)
      }),
  }
}

/** The place behind all that were ever queued and have none in the conversation. */
function lastPlace(tables: MemoryTables, sessionId: string, at: number): number {
  const places = messagesOf(tables, sessionId).map(({ queuedAt }) => (queuedAt ?? 0) + 1)
  return Math.max(at, ...places)
}

function cancelled(
  tables: MemoryTables,
  { sessionId, limit, cursor }: Parameters<QueueStore['cancelled']>[0],
): Page<StoredMessage> {
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : decodeNumberCursor(cursor)
  const found = messagesOf(tables, sessionId)
    .filter(({ queuedAt, hiddenBy }) => queuedAt !== null && queuedAt < before && hiddenBy === 'cancelled')
    .sort((a, b) => (b.queuedAt ?? 0) - (a.queuedAt ?? 0))
  const items = found.slice(0, pageLength(found.map(sizeOf), limit))
  return { items, nextCursor: found.length > items.length ? String(items.at(-1)?.queuedAt) : null }
}

/** The queued message; `CONFLICT` once it has fired or was cancelled. */
export function waiting(tables: MemoryTables, sessionId: string, messageId: string): StoredMessage {
  const message = existingMessage(tables, sessionId, messageId)
  if (message.queuedAt === null || message.hiddenAt !== null) {
    throw new AppError('CONFLICT', 'This message no longer waits in the queue.')
  }
  return message
}

/** Takes a message out of the queue and gives it its place. */
export function fire(tables: MemoryTables, message: StoredMessage, runId: string, at: number): void {
  message.seq = nextSeq(tables, message.sessionId)
  message.queuedAt = null
  message.metadata = { ...message.metadata, runId }
  message.updatedAt = at
  makeSearchable(tables, message.id)
}

export function refuseTakenId(tables: MemoryTables, messageId: string): void {
  if (tables.messages.has(messageId)) throw new AppError('CONFLICT', 'Another message has this id.')
}

/** `CONFLICT` when the id is taken. */
export function insertMessage(
  tables: MemoryTables,
  message: NewMessage,
  { seq, queuedAt, at }: { seq: number | null; queuedAt: number | null; at: number },
): StoredMessage {
  refuseTakenId(tables, message.id)
  assertBlobs(tables, message.parts)
  nameBlobs(tables, message.parts)
  const stored: StoredMessage = {
    id: message.id,
    sessionId: message.sessionId,
    seq,
    role: message.role,
    metadata: copy(message.metadata),
    parts: newParts(message.parts),
    hiddenAt: null,
    hiddenBy: null,
    queuedAt,
    createdAt: message.metadata.createdAt,
    updatedAt: at,
  }
  tables.messages.set(stored.id, stored)
  return stored
}

function newParts(parts: NewMessage['parts']): StoredPart[] {
  return copy(parts).map((data, index) => ({ id: createId('prt'), index, data, prunedAt: null }))
}
