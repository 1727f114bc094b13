import type { Role } from '../message/message.ts'
import type { CountedWindow } from '../window/counted-window.ts'
import type { HistoryOperation } from './history-operation.ts'

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
  /** It holds outputs that have a condensed form. */
  condensed: boolean
  createdAt: number
}

/** A session's messages in order, queued ones left out, and its operations in the order they happened. */
export type Outline = { entries: readonly OutlineEntry[]; operations: readonly HistoryOperation[] }
