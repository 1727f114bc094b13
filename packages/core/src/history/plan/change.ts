import type { Outline } from '../../domain/history/outline.ts'
import { inRanges, type SeqRange, toRanges } from '../../domain/values/seq-ranges.ts'
import { type View, visibleNow } from './view.ts'

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

/** What is visible once a change is made. */
export function viewAfter(outline: Outline, { hidden, shown }: Omit<VisibilityChange, 'lastSeq'>): View {
  const now = visibleNow(outline)
  const after = ({ seq }: { seq: number }) => inRanges(shown, seq) || (now.has(seq) && !inRanges(hidden, seq))
  return new Set(outline.entries.filter(after).map(({ seq }) => seq))
}
