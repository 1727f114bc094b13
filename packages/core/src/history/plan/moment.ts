import { AppError } from '../../domain/errors.ts'
import type { HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { isInsideReply, type Moment } from './view.ts'

/** The moment of a restore point. `INVALID_INPUT` of field `pointId` when there is no such point. */
export function momentOf(outline: Outline, pointId: string): Moment {
  const moment = findMoment(outline, pointId)
  if (moment !== null) return moment
  throw new AppError('INVALID_INPUT', 'There is no such restore point in this chat.', { field: 'pointId' })
}

/** Just before an operation, or before a user message took its place; null for any other id. */
export function findMoment(outline: Outline, pointId: string): Moment | null {
  const { operations, entries } = outline
  const index = operations.findIndex(({ id }) => id === pointId)
  const operation = operations[index]
  if (operation !== undefined)
    return isPoint(operation) ? { operations: index, lastSeq: operation.detail.lastSeq } : null
  const entry = entries.find(({ id }) => id === pointId)
  if (entry === undefined || entry.role !== 'user' || isInsideReply(outline, entry)) return null
  const earlier = operations.findLastIndex(({ detail }) => detail.lastSeq < entry.seq)
  return { operations: earlier + 1, lastSeq: entry.seq - 1 }
}

/** A switch of the model is noted while a run begins: the message that it came with is the point. */
function isPoint({ kind }: HistoryOperation): boolean {
  return kind !== 'switch'
}
