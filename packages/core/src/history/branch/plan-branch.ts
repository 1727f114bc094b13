import { AppError } from '../../domain/errors.ts'
import type { Outline } from '../../domain/outline.ts'
import { isInsideReply, viewAt } from '../operation/outline.ts'

/** Places of the messages that a branch from `messageId` copies, in the order in which it holds them: summary first. */
export function planBranch(outline: Outline, messageId: string): number[] {
  const target = outline.entries.find(({ id }) => id === messageId)
  if (target === undefined) {
    throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.', {
      field: 'fromMessageId',
    })
  }
  if (isInsideReply(outline, target)) {
    throw new AppError('INVALID_INPUT', 'This message steered a reply and is part of it.', {
      field: 'fromMessageId',
    })
  }
  const path = viewAt(outline, target)
  const copied = outline.entries.filter(({ seq }) => path.has(seq))
  return [
    ...copied.filter(({ compactionId }) => compactionId !== null),
    ...copied.filter(({ compactionId }) => compactionId === null),
  ].map(({ seq }) => seq)
}
