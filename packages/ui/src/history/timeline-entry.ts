import type { HistoryOperation } from '@palimpsest/core/domain'

/** A history operation with the number of messages that it hid and showed; summaries count as none. */
export type TimelineEntry = HistoryOperation & {
  hiddenCount: number
  shownCount: number
  /** Messages hidden now that a return to the state before it shows. */
  restoresCount: number
  /** Whether it can be undone now. */
  canUndo: boolean
  /** The first and the last message of each stretch that a compaction's summary replaces. */
  covers?: [from: string, to: string][]
}
