import { AppError } from './errors.ts'
import { LIMITS } from './limits.ts'

/** `RATE_LIMITED` when no more messages may wait in a session than these. */
export function assertQueueCapacity(waiting: readonly unknown[]): void {
  if (waiting.length < LIMITS.queuedMessages) return
  throw new AppError('RATE_LIMITED', `${LIMITS.queuedMessages} messages wait in this session already.`)
}
