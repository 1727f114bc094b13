import type { HistoryDetail } from '../../domain/history/history-operation.ts'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'

/** Places of visible messages. */
export type View = ReadonlySet<number>

export function visibleNow({ entries }: Outline): View {
  const view = new Set<number>()
  for (const { seq, hiddenBy } of entries) if (hiddenBy === null) view.add(seq)
  return view
}

/** True for a message that steered a reply: the reply holds it as a part, and its own row is hidden by the run. */
export function isInsideReply({ operations }: Outline, { hiddenBy }: OutlineEntry): boolean {
  return hiddenBy !== null && operations.every(({ id }) => id !== hiddenBy)
}

/** A moment in a session's past: how many operations it had had by then, and its last place. */
export type Moment = { operations: number; lastSeq: number }

/** What was visible just before an operation. */
export function viewBefore(outline: Outline, operationId: string): View {
  const { operations } = outline
  const index = operations.findIndex(({ id }) => id === operationId)
  const lastSeq = operations[index]?.detail.lastSeq ?? Number.POSITIVE_INFINITY
  return viewAtMoment(outline, { operations: index, lastSeq })
}

/** What was visible at a moment: the present, with every operation since then taken back. */
export function viewAtMoment(outline: Outline, { operations, lastSeq }: Moment): View {
  let view = visibleNow(outline)
  for (const { detail } of outline.operations.slice(operations).reverse())
    view = takenBack(outline, view, detail)
  return new Set([...view].filter((seq) => seq <= lastSeq))
}

/** What was visible before an operation, of what was visible after it; messages that came later stay. */
function takenBack({ entries }: Outline, after: View, detail: HistoryDetail): View {
  const was = (seq: number) =>
    inRanges(detail.hidden, seq) ||
    (after.has(seq) && !inRanges(detail.shown, seq) && seq !== detail.summarySeq)
  return new Set(entries.map(({ seq }) => seq).filter(was))
}

/**
 * The path to a message: what was visible together with it, up to and including it. A summary represents what came
 * before the rest of its view, wherever its own place is.
 */
export function viewAt(outline: Outline, target: OutlineEntry): View {
  const view = target.hiddenBy === null ? visibleNow(outline) : viewBefore(outline, target.hiddenBy)
  const onPath = ({ seq, compactionId }: OutlineEntry) =>
    view.has(seq) && (compactionId !== null || seq < target.seq)
  return new Set([...outline.entries.filter(onPath).map(({ seq }) => seq), target.seq])
}
