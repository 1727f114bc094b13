import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { ChatPart, StoredMessage } from './message.ts'

/**
 * `RATE_LIMITED` when a message with these parts may not wait behind those: when there would be more than
 * `LIMITS.queuedMessages`, or more than `LIMITS.queuedCharacters` in them.
 */
export function assertQueueCapacity(waiting: readonly StoredMessage[], added: readonly ChatPart[]): void {
  const { queuedMessages, queuedCharacters } = LIMITS
  if (waiting.length >= queuedMessages)
    throw new AppError('RATE_LIMITED', `${queuedMessages} messages wait in this session already.`)
  const parts = [...waiting.flatMap((message) => message.parts.map(({ data }) => data)), ...added]
  if (parts.reduce((sum, part) => sum + charactersOf(part), 0) > queuedCharacters)
    throw new AppError(
      'RATE_LIMITED',
      `The messages that wait in this session have at most ${queuedCharacters} characters, files included.`,
    )
}

/** The characters of what a person sends: text, and files in their data URLs. */
export function charactersOf(part: object): number {
  if ('text' in part && typeof part.text === 'string') return part.text.length
  return 'url' in part && typeof part.url === 'string' ? part.url.length : 0
}
