import type { ChatMessage } from '@palimpsest/core/domain'
import type { Messages } from '@palimpsest/ui'
import { lineOf } from './prompts.ts'
import type { RestorePoint } from './use-restore-points.ts'

/** A state by what happened next; a message by its text where it is loaded. */
export function pointName(
  { reason, messageId }: Pick<RestorePoint, 'reason' | 'messageId'>,
  loaded: ReadonlyMap<string, ChatMessage>,
  { before, beforeText }: Messages['history']['timeline'],
): string {
  const message = reason === 'message' ? loaded.get(messageId ?? '') : undefined
  const text = message === undefined ? '' : lineOf(message)
  return text === '' ? before[reason] : beforeText(text)
}
