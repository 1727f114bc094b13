import type { ChatChunk, ChatMessage, Reduction } from '@palimpsest/core/domain'
import { initialReduction, reduceChunk } from '@palimpsest/core/domain'

/**
 * The last run whose chunks arrived. `ended` is reverted when the event of the end was outdated; once `settled` the
 * stored message is authoritative and late chunks are dropped.
 */
export type LiveRun = {
  readonly runId: string
  readonly reduction: Reduction
  readonly phase: 'streaming' | 'ended' | 'settled'
}

/** `messageId` is empty until the run's first chunk names its message. */
export function startLiveRun(runId: string, messageId = ''): LiveRun {
  return { runId, reduction: initialReduction(messageId), phase: 'streaming' }
}

export function growLiveRun(live: LiveRun, chunks: readonly ChatChunk[]): LiveRun {
  if (live.phase === 'settled') return live
  const reduction = chunks.reduce(reduceChunk, live.reduction)
  return reduction === live.reduction ? live : { ...live, reduction }
}

export function endLiveRun(live: LiveRun | null): LiveRun | null {
  return live?.phase === 'streaming' ? { ...live, phase: 'ended' } : live
}

/** The run goes on after all. */
export function resumeLiveRun(live: LiveRun): LiveRun {
  return live.phase === 'ended' ? { ...live, phase: 'streaming' } : live
}

/** The message that streams, once it has something to show that the stored one lacks. */
export function liveMessage(live: LiveRun | null): ChatMessage | null {
  if (live?.phase !== 'streaming') return null
  const { message } = live.reduction
  return message.id === '' || message.parts.length === 0 ? null : message
}

/** Characters that the live message holds. */
export function liveCharacters(live: LiveRun | null): number {
  const message = liveMessage(live)
  return message === null ? 0 : messageCharacters(message)
}

/** Characters of text, reasoning and tool input: what the meter's estimate is made of. */
export function messageCharacters({ parts }: ChatMessage): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'text' || part.type === 'reasoning') return sum + part.text.length
    return 'rawInput' in part && typeof part.rawInput === 'string' ? sum + part.rawInput.length : sum
  }, 0)
}
