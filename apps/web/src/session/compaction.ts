import type { SessionEvent, SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'

/** Whether earlier messages are being summarised, or why that came to nothing. */
export type Compaction =
  | { type: 'none' }
  | { type: 'running'; auto: boolean }
  | { type: 'failed'; message: string }

export type CompactionEvent = Extract<SessionEvent, { type: `compaction-${string}` }>

export const NO_COMPACTION: Compaction = { type: 'none' }

export function nextCompaction(event: CompactionEvent): Compaction {
  switch (event.type) {
    case 'compaction-started':
      return { type: 'running', auto: event.auto }
    case 'compaction-completed':
      return NO_COMPACTION
    case 'compaction-failed':
      return { type: 'failed', message: event.message }
  }
}

/** Nothing is summarised while nothing runs; a failure stays in view until it is put away. */
export function whenIdle(compaction: Compaction): Compaction {
  return compaction.type === 'running' ? NO_COMPACTION : compaction
}

/** Whether the session is being summarised now: an event says so, or the session is held by an operation, not a run. */
export function isCompacting(compaction: Compaction, status: SessionStatus): boolean {
  return compaction.type === 'running' || (isRunning(status) && isOperation(status.runId))
}

/** Whether what holds a session is an operation on its history, which streams nothing. */
export function isOperation(runId: string): boolean {
  return runId.startsWith('op_')
}
