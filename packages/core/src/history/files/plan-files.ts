import type { HistoryDetail, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import type { FileSpan } from '../../domain/workspace/file-span.ts'
import { viewAfter } from '../plan/change.ts'
import { type View, visibleNow } from '../plan/view.ts'

/** Something that may have changed files: the reply at this place, or an operation that restored some. */
export type FileEvent = number | FileSpan

/** The file changes that an operation undoes and those that it redoes, each in the order in which they happened. */
export type FileMoves = { undone: readonly FileEvent[]; redone: readonly FileEvent[] }

/**
 * What an operation means for the files. A rewind concerns the replies that it leaves and those that it comes to; taking
 * an operation back concerns everything that has happened since.
 */
export function planFiles(outline: Outline, detail: HistoryDetail): FileMoves {
  const undone = outline.operations.findIndex(({ id }) => id === detail.undoes)
  if (undone !== -1) return { undone: eventsSince(outline, undone), redone: [] }
  const now = inEffect(outline, visibleNow(outline))
  const next = inEffect(outline, viewAfter(outline, detail))
  return { undone: sorted(now.difference(next)), redone: sorted(next.difference(now)) }
}

/** The state to restore for each path, given the paths that each event changed. */
export function fileTargets(
  undone: readonly { span: FileSpan; paths: readonly string[] }[],
  redone: readonly { span: FileSpan; paths: readonly string[] }[],
): Map<string, string> {
  const targets = new Map<string, string>()
  for (const { span, paths } of undone.toReversed()) for (const path of paths) targets.set(path, span.before)
  for (const { span, paths } of redone) for (const path of paths) targets.set(path, span.after)
  return targets
}

/** The visible messages and those that visible summaries replace: the file changes of both are in effect. */
function inEffect({ entries, operations }: Outline, view: View): ReadonlySet<number> {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const found = new Set(view)
  // Iterating a growing set also visits what is added: a summary may replace earlier summaries.
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  for (const seq of found) {
    const hidden = byId.get(bySeq.get(seq)?.compactionId ?? '')?.detail.hidden ?? []
    for (const entry of hidden.length === 0 ? [] : entries)
      if (inRanges(hidden, entry.seq)) found.add(entry.seq)
  }
  return found
}

function eventsSince({ entries, operations }: Outline, index: number): FileEvent[] {
  const since = operations.slice(index)
  const start = since[0]?.detail.lastSeq ?? 0
  const replies = entries.flatMap(({ seq }) => (seq > start ? [{ at: seq, event: seq }] : []))
  // An operation happened after the message that was the last one then, and before the next.
  const restored = since.flatMap((operation) => {
    const event = spanOf(operation)
    return event === null ? [] : [{ at: operation.detail.lastSeq + 0.5, event }]
  })
  return [...replies, ...restored].toSorted((a, b) => a.at - b.at).map(({ event }) => event)
}

function spanOf({ detail: { snapshotId, previousSnapshotId } }: HistoryOperation): FileSpan | null {
  if (snapshotId === undefined || previousSnapshotId === undefined) return null
  return { before: previousSnapshotId, after: snapshotId }
}

function sorted(seqs: ReadonlySet<number>): number[] {
  return [...seqs].toSorted((a, b) => a - b)
}
