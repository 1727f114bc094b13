import type { Turns } from '../run/run-turn.ts'
import type { SendResult } from './service.ts'

/**
 * Continues the queue, in which this message waits, and returns what became of it. It is kept in any case: what the queue
 * cannot continue with is shown by the session's status.
 */
export async function fireOrWait(
  { id, sessionId }: { id: string; sessionId: string },
  turns: Turns,
): Promise<SendResult> {
  const fired = await turns.drain(sessionId).catch(() => null)
  if (fired?.messageId !== id) return { messageId: id, queued: true }
  return { messageId: id, runId: fired.runId, queued: false }
}
