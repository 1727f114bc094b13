import { AppError } from '../../domain/errors.ts'
import type { HistoryDetail, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { changeTo } from './change.ts'
import { leftOutSince } from './left-out-at.ts'
import { momentOf } from './moment.ts'
import { versionsOf } from './versions-of.ts'
import { isInsideReply, viewAt, viewAtMoment, viewBefore, visibleNow } from './view.ts'

/**
 * A rewind to a user message, hidden ones included: the message stays, what came after it goes. With `replace` it goes
 * too, for the one that takes its place. What a compaction had hidden on the way to it comes back, and the summary goes.
 */
export function planRewind(
  outline: Outline,
  messageId: string,
  { replace }: { replace: boolean },
): HistoryDetail {
  const target = requireUserMessage(outline, messageId)
  const path = viewAt(outline, target)
  const next = replace ? path.difference(new Set([target.seq])) : path
  return {
    ...changeTo(outline, next),
    targetMessageId: messageId,
    ...(replace && { replacedMessageId: messageId }),
  }
}

/**
 * The user message that a rewind or its undoing has left without its reply, at the end of what is visible: whatever is
 * sent next takes its place, or the model would see two in a row. Null when there is none.
 */
export function leftUnanswered(outline: Outline): OutlineEntry | null {
  const now = visibleNow(outline)
  const last = outline.entries.findLast(({ seq, compactionId }) => now.has(seq) && compactionId === null)
  if (last === undefined || last.role !== 'user') return null
  const hasRewound = outline.operations.some(
    ({ kind, detail }) => isRewind(kind) && detail.lastSeq > last.seq,
  )
  return hasRewound ? last : null
}

/** Takes the last rewind or un-rewind back; what came since is hidden, and comes back in turn. */
export function planUnrewind(outline: Outline, operationId?: string): HistoryDetail {
  const operation = operationId === undefined ? lastRewind(outline) : findRewind(outline, operationId)
  if (operation === null) throw new AppError('CONFLICT', 'There is no rewind to take back.')
  return { ...changeTo(outline, viewBefore(outline, operation.id)), undoes: operation.id }
}

/** Makes visible exactly the messages that were visible at a restore point, and leaves out what was left out then. */
export function planRestore(outline: Outline, pointId: string): HistoryDetail {
  const moment = momentOf(outline, pointId)
  const marks = leftOutSince(outline, moment.operations)
  const isOperation = outline.operations.some(({ id }) => id === pointId)
  const change = changeTo(outline, viewAtMoment(outline, moment))
  return { ...change, ...marks, ...(isOperation && { undoes: pointId }), pointId }
}

/** Shows another version at a message's place, in the state in which it was last shown. */
export function planVersion(outline: Outline, messageId: string, operationId: string): HistoryDetail {
  const places = versionsOf(outline).filter(({ versions }) =>
    versions.some((version) => version.messageId === messageId),
  )
  const version = places.flatMap(({ versions }) => versions).find((one) => one.operationId === operationId)
  if (version === undefined) {
    throw new AppError('INVALID_INPUT', 'This message has no such version.', { field: 'operationId' })
  }
  return { ...planRestore(outline, operationId), targetMessageId: version.messageId }
}

/**
 * The rewind or un-rewind that is taken back next: the latest that still hides something, or a rewind that has only shown
 * something, as long as nothing came after it. Null when there is none.
 */
export function lastRewind({ entries, operations }: Outline): HistoryOperation | null {
  const latest = operations.findLast(({ kind }) => isRewind(kind))
  const onlyShown = latest?.kind === 'rewind' && latest.detail.shown.length > 0
  if (onlyShown && latest.detail.lastSeq === entries.at(-1)?.seq) return latest
  const hiding = new Set(entries.map(({ hiddenBy }) => hiddenBy))
  return operations.findLast(({ id, kind }) => isRewind(kind) && hiding.has(id)) ?? null
}

function findRewind({ operations }: Outline, operationId: string): HistoryOperation {
  const operation = operations.find(({ id, kind }) => id === operationId && isRewind(kind))
  if (operation !== undefined) return operation
  throw new AppError('INVALID_INPUT', 'There is no such rewind in this session.', { field: 'operationId' })
}

function isRewind(kind: HistoryOperation['kind']): boolean {
  return kind === 'rewind' || kind === 'unrewind'
}

function requireUserMessage(outline: Outline, messageId: string): OutlineEntry {
  const entry = outline.entries.find(({ id }) => id === messageId)
  if (entry === undefined) {
    throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.', {
      field: 'messageId',
    })
  }
  if (entry.role !== 'user') {
    throw new AppError('INVALID_INPUT', 'One rewinds to a user message.', { field: 'messageId' })
  }
  if (isInsideReply(outline, entry)) {
    throw new AppError('INVALID_INPUT', 'This message steered a reply and is part of it.', {
      field: 'messageId',
    })
  }
  return entry
}
