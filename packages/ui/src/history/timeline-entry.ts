import type { HistoryOperation } from '@palimpsest/core/domain'

/** Something that was done to a session's history, with how many messages it hid and showed. */
export type TimelineEntry = HistoryOperation & {
  hiddenCount: number
  shownCount: number
  /** Whether it can be taken back now. */
  canUndo: boolean
}
