import type { Messages } from '@palimpsest/ui'
import type { RestorePoint } from './use-restore-points.ts'

/** A state by what happened next; a message by its line where that is known. */
export function pointName(
  { reason, messageId }: Pick<RestorePoint, 'reason' | 'messageId'>,
  lines: ReadonlyMap<string, string>,
  { before, beforeText }: Messages['history']['timeline'],
): string {
  const text = reason === 'message' ? (lines.get(messageId ?? '') ?? '') : ''
  return text === '' ? before[reason] : beforeText(text)
}
