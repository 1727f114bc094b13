import {
  AppError,
  inRanges,
  type SeqRange,
  type Session,
  type StoredMessage,
  withFormUsed,
} from '@palimpsest/core/domain'
import type { HistoryChange } from '@palimpsest/core/ports'
import { addFileChanges } from './file-changes.ts'
import { insertMessage, refuseTakenId } from './queue.ts'
import {
  existingMessage,
  existingSession,
  lastSeq,
  type MemoryTables,
  messagesOf,
  placedOf,
} from './tables.ts'

/** Fails when the change cannot be made, before any of it is. */
export function checkChange(tables: MemoryTables, { operation, insert, forms = [] }: HistoryChange): void {
  const { id, sessionId, detail } = operation
  existingSession(tables, sessionId)
  const last = lastSeq(tables, sessionId)
  if (detail.lastSeq !== last || (insert !== null && detail.summarySeq !== last + 1)) {
    throw new AppError('CONFLICT', 'The history has changed since this was planned.')
  }
  if (insert !== null) refuseTakenId(tables, insert.id)
  for (const { messageId } of forms) existingMessage(tables, sessionId, messageId)
  for (const messageId of [...(detail.leftOut ?? []), ...(detail.broughtBack ?? [])])
    existingMessage(tables, sessionId, messageId)
  if (tables.operations.some((other) => other.id === id)) {
    throw new AppError('CONFLICT', 'Another operation has this id.')
  }
}

/** Makes a checked change. The session is touched by the caller. */
export function applyChange(tables: MemoryTables, change: HistoryChange): void {
  const { operation, insert } = change
  const { id, sessionId, detail, createdAt: at } = operation
  const visible = (message: StoredMessage) => message.hiddenAt === null
  const hiding = within(tables, sessionId, detail.hidden).filter(visible)
  const showing = within(tables, sessionId, detail.shown).filter((message) => !visible(message))
  for (const message of hiding) Object.assign(message, { hiddenAt: at, hiddenBy: id, updatedAt: at })
  for (const message of showing) Object.assign(message, { hiddenAt: null, hiddenBy: null, updatedAt: at })
  markParts(tables, change)
  setFormsUsed(tables, change)
  for (const messageId of detail.leftOut ?? []) setLeftOut(tables, { sessionId, messageId, at }, true)
  for (const messageId of detail.broughtBack ?? []) setLeftOut(tables, { sessionId, messageId, at }, false)
  if (insert !== null)
    insertMessage(tables, insert, { seq: lastSeq(tables, sessionId) + 1, queuedAt: null, at })
  tables.operations.push(structuredClone(operation))
  addFileChanges(tables, change.files ?? [])
  setContext(existingSession(tables, sessionId), change)
}

export function setContext(
  session: Session,
  { contextTokens, contextEstimated }: { contextTokens: number; contextEstimated: boolean },
): void {
  const { contextEstimated: _, ...metadata } = session.metadata
  session.contextTokens = contextTokens
  session.metadata = { ...metadata, ...(contextEstimated && { contextEstimated: true }) }
}

function within(tables: MemoryTables, sessionId: string, ranges: readonly SeqRange[]): StoredMessage[] {
  return placedOf(tables, sessionId).filter(({ seq }) => inRanges(ranges, seq))
}

function markParts(tables: MemoryTables, { operation, prune, unprune }: HistoryChange): void {
  for (const part of messagesOf(tables, operation.sessionId).flatMap(({ parts }) => parts)) {
    if (prune.includes(part.id)) part.prunedAt ??= operation.createdAt
    if (unprune.includes(part.id)) part.prunedAt = null
  }
}

function setFormsUsed(
  tables: MemoryTables,
  { operation: { sessionId, createdAt }, forms = [] }: HistoryChange,
): void {
  for (const { messageId, toolCallId, used } of forms) {
    const message = existingMessage(tables, sessionId, messageId)
    const condensed = withFormUsed(message.metadata.condensed ?? {}, toolCallId, used)
    message.metadata = { ...message.metadata, condensed }
    message.updatedAt = createdAt
  }
}

function setLeftOut(
  tables: MemoryTables,
  { sessionId, messageId, at }: { sessionId: string; messageId: string; at: number },
  left: boolean,
): void {
  const message = existingMessage(tables, sessionId, messageId)
  const { leftOut: _, ...metadata } = message.metadata
  message.metadata = left ? { ...metadata, leftOut: true } : metadata
  message.updatedAt = at
}
