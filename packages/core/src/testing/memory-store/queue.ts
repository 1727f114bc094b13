import {
  AppError,
  checkQueueRoom,
  createId,
  type StoredMessage,
  type StoredPart,
} from '../../domain/index.ts'
import type { NewMessage, QueueStore } from '../../ports/index.ts'
import {
  atomically,
  copy,
  existingMessage,
  existingSession,
  type MemoryTables,
  makeSearchable,
  nextSeq,
  queuedOf,
  touch,
} from './tables.ts'

export function createMemoryQueue(tables: MemoryTables): QueueStore {
  const note = (sessionId: string, at: number) => touch(tables, existingSession(tables, sessionId), at)

  return {
    add: (message, at) =>
      atomically(() => {
        const session = existingSession(tables, message.sessionId)
        if (session.archivedAt !== null) throw new AppError('SESSION_ARCHIVED', 'This session is archived.')
        const queued = queuedOf(tables, message.sessionId)
        checkQueueRoom(queued)
        const last = queued.at(-1)?.queuedAt ?? 0
        const stored = insertMessage(tables, message, { seq: null, queuedAt: Math.max(at, last + 1), at })
        touch(tables, session, at)
        return stored
      }),
    list: (sessionId) => atomically(() => queuedOf(tables, sessionId)),
    edit: (sessionId, messageId, patch, at) =>
      atomically(() => {
        const message = waiting(tables, sessionId, messageId)
        note(sessionId, at)
        if (patch.parts !== undefined) message.parts = newParts(patch.parts)
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
