import { isRunning, lastTurnMessage } from '@palimpsest/core/domain'
import type { QueuePause } from '@palimpsest/ui'
import type { SessionState } from '../session/session-state.ts'
import { shownMessages } from '../session/thread-view.ts'

/** Why the queue waits for a person; null when nothing waits there or the queue goes on by itself. */
export function queuePause(
  state: Pick<SessionState, 'status' | 'queue' | 'messages' | 'live'>,
): QueuePause | null {
  const { status, queue } = state
  if (queue.length === 0 || isRunning(status)) return null
  const { finishReason: reason, pausedQueue = false } = lastTurnMessage(shownMessages(state))?.metadata ?? {}
  if (pausedQueue) return 'stopped'
  if (status.state === 'error' || reason === 'error') return 'failed'
  return reason === 'interrupted' ? 'interrupted' : null
}
