import type { StoredMessage } from '../message/message.ts'
import { inRanges, type SeqRange } from '../values/seq-ranges.ts'
import type { HistoryKind } from './history-operation.ts'

export const MESSAGE_LAYERS = ['visible', 'hidden', 'summarised'] as const

/** Where a message is in the history of its session: visible, hidden by an operation, or replaced by a summary. */
export type MessageLayer = (typeof MESSAGE_LAYERS)[number]

/**
 * The layer by the kind of the operation that hides a message: null for an unknown one, undefined for none. `replaced` is
 * true for one that a summary replaces, whatever hides it now.
 */
export function messageLayer(hiddenBy: HistoryKind | null | undefined, replaced: boolean): MessageLayer {
  if (hiddenBy === undefined) return 'visible'
  return hiddenBy === 'compaction' || replaced ? 'summarised' : 'hidden'
}

/** The summary of a compaction: its place, whether it is visible, and the places of the messages that it replaces. */
export type SummaryPlace = { seq: number; visible: boolean; replaces: readonly SeqRange[] }

/** Returns whether a visible summary replaces the message at a place, or one that such a summary replaces in turn. */
export function replacedBy(summaries: readonly SummaryPlace[]): (seq: number) => boolean {
  const reading: SummaryPlace[] = []
  const isReplaced = (seq: number) => reading.some(({ replaces }) => inRanges(replaces, seq))
  for (const summary of summaries.toSorted((a, b) => b.seq - a.seq))
    if (summary.visible || isReplaced(summary.seq)) reading.push(summary)
  return isReplaced
}

/** Whether a message was added to a running reply: its run hides it, and the reply shows it. */
export function isSteering({ hiddenBy, metadata }: Pick<StoredMessage, 'hiddenBy' | 'metadata'>): boolean {
  return hiddenBy !== null && hiddenBy === metadata.runId
}
