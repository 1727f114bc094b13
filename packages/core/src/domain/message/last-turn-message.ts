import type { MessageMetadata, Role, StoredMessage } from './message.ts'

type TurnMessage = { role: Role; metadata?: MessageMetadata | undefined }

/** The newest of these messages, which are in order, that is a question or a reply: a compaction's summary is neither. */
export function lastTurnMessage<T extends TurnMessage>(messages: readonly T[]): T | undefined {
  return messages.findLast(({ metadata }) => metadata?.compactionId === undefined && !metadata?.synthetic)
}

const COMPLETE: ReadonlySet<string> = new Set(['stop', 'content-filter'])

/** Whether a conversation whose last turn ends with this message can be continued: it has no reply, or a part of one. */
export function isUnfinished(last: TurnMessage | undefined): boolean {
  if (last === undefined) return false
  const { finishReason } = last.metadata ?? {}
  return last.role !== 'assistant' || finishReason === undefined || !COMPLETE.has(finishReason)
}

const ENDED_BADLY: ReadonlySet<string> = new Set(['error', 'interrupted'])

/**
 * Whether a queue is paused until a user acts: the last turn failed, was interrupted, was stopped together with the
 * queue or has no reply, and nothing was queued after that.
 */
export function isQueuePaused(last: StoredMessage | undefined, queue: readonly StoredMessage[]): boolean {
  if (last === undefined) return false
  const { finishReason, pausedQueue = false } = last.metadata
  const ended = last.role === 'assistant' && finishReason !== undefined && !ENDED_BADLY.has(finishReason)
  return (!ended || pausedQueue) && queue.every(({ queuedAt }) => (queuedAt ?? 0) <= last.updatedAt)
}
