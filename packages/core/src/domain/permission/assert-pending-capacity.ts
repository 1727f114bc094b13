import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/** `RATE_LIMITED` when `added` bytes would be more than may wait for a message beside the `pending` ones. */
export function assertPendingCapacity(pending: number, added: number): void {
  if (pending + added <= LIMITS.pendingBlobBytes) return
  const message = `Uploaded files that no message names may have ${LIMITS.pendingBlobBytes} bytes in all.`
  throw new AppError('RATE_LIMITED', message)
}
