import type { HistoryKind } from './history-operation.ts'
import type { StoredMessage } from './message.ts'

export const MESSAGE_LAYERS = ['visible', 'hidden', 'summarised'] as const

/** Where a message is in the history of its session: visible, hidden by an operation, or replaced by a summary. */
export type MessageLayer = (typeof MESSAGE_LAYERS)[number]

/** The layer by the kind of the operation that hides a message: null for an unknown one, undefined for none. */
export function messageLayer(hiddenBy: HistoryKind | null | undefined): MessageLayer {
  if (hiddenBy === undefined) return 'visible'
  return hiddenBy === 'compaction' ? 'summarised' : 'hidden'
}

/** Whether a message was added to a running reply: its run hides it, and the reply shows it. */
export function isSteering({ hiddenBy, metadata }: Pick<StoredMessage, 'hiddenBy' | 'metadata'>): boolean {
  return hiddenBy !== null && hiddenBy === metadata.runId
}
