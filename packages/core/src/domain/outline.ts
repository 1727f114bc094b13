import type { HistoryOperation } from './history-operation.ts'
import type { Role } from './message.ts'

/** A message without its body: enough to decide what is visible. */
export type OutlineEntry = {
  id: string
  seq: number
  role: Role
  /** The operation that hid it; null while it is visible. */
  hiddenBy: string | null
  /** It is the summary of this compaction. */
  compactionId: string | null
  /** What the window held after its last step; for a summary, what it held with the summary alone. */
  window: CountedWindow | null
}

/** What the window held after a message's last step, and what that figure depends on. */
export type CountedWindow = {
  tokens: number
  /** The compaction under whose summary it was counted. */
  compactionId?: string
  /** No provider has counted it. */
  estimated?: boolean
  /** Characters of pruned outputs that were left out of what was counted. */
  pruned?: number
  /** Tokens that the session's replies had been counted as for each one estimated; 1 when absent. */
  scale?: number
}

/** A session's messages in order, queued ones left out, and its operations in the order they happened. */
export type Outline = { entries: readonly OutlineEntry[]; operations: readonly HistoryOperation[] }
