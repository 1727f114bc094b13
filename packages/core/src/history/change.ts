import type { Outline } from '../domain/outline.ts'
import { type SeqRange, toRanges } from '../domain/seq-ranges.ts'
import { type View, visibleNow } from './outline.ts'

/** What turns one view into another. */
export type VisibilityChange = { lastSeq: number; hidden: SeqRange[]; shown: SeqRange[] }

/** The change from what is visible now to `next`. */
export function changeTo(outline: Outline, next: View): VisibilityChange {
  const now = visibleNow(outline)
  return {
    lastSeq: outline.entries.at(-1)?.seq ?? 0,
    hidden: toRanges(now.difference(next)),
    shown: toRanges(next.difference(now)),
  }
}
