import type { HistoryOperation } from '@palimpsest/core/domain'

/** A history operation with the number of messages that it hid and showed. */
export type TimelineEntry = HistoryOperation & {
  hiddenCount: number
  shownCount: number
  /** Whether it can be undone now. */
  canUndo: boolean
}
