import type { Turns } from '../run/run-turn.ts'
import type { SendResult } from './send-message.ts'

/**
 * Continues the queue that this message is in, and returns whether it was fired or is still queued. An error of the queue
 * is not thrown: the session's status shows it.
 */
export async function fireOrWait(
  { id, sessionId }: { id: string; sessionId: string },
  turns: Turns,
): Promise<SendResult> {
  const fired = await turns.drain(sessionId).catch(() => null)
  if (fired?.messageId !== id) return { messageId: id, queued: true }
  return { messageId: id, runId: fired.runId, queued: false }
}
