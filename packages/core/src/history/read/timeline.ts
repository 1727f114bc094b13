import type { HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { inRanges, type SeqRange } from '../../domain/values/seq-ranges.ts'
import type { TimelineEntry } from '../history-service.ts'
import { lastRewind } from '../plan/plan-rewind.ts'

/** A session's operations, the latest first, each with the counts it hid and showed, and whether it can be undone. */
export function timelineOf(outline: Outline): TimelineEntry[] {
  const hiding = new Set(outline.entries.map(({ hiddenBy }) => hiddenBy))
  const visible = new Set(outline.entries.filter(({ hiddenBy }) => hiddenBy === null).map(({ id }) => id))
  const state = {
    hiding,
    visible,
    latest: latestOfOutputs(outline),
    latestOnMessage: latestOnMessages(outline),
    reverted: new Set(outline.operations.map(({ detail }) => detail.reverted)),
  }
  const next = lastRewind(outline)?.id
  const counts = countsBackwards(outline)
  return outline.operations.toReversed().map((operation, index) => ({
    ...operation,
    ...(counts[index] ?? NOTHING),
    canUndo: operation.id === next || canUndo(operation, state),
    ...(operation.kind === 'compaction' && { covers: stretches(outline, operation.detail.hidden) }),
  }))
}

/** The first and the last message of each range that holds one. */
function stretches({ entries }: Outline, ranges: readonly SeqRange[]): [from: string, to: string][] {
  return ranges.flatMap((range) => {
    const inside = entries.filter(({ seq }) => inRanges([range], seq))
    const [first, last] = [inside[0], inside.at(-1)]
    return first === undefined || last === undefined ? [] : [[first.id, last.id] as [string, string]]
  })
}

type Counts = Pick<TimelineEntry, 'hiddenCount' | 'shownCount' | 'restoresCount'>

const NOTHING: Counts = { hiddenCount: 0, shownCount: 0, restoresCount: 0 }

/** The counts of every operation, the latest first, in messages: a summary is none. */
function countsBackwards({ entries, operations }: Outline): Counts[] {
  const said = entries.filter(({ compactionId }) => compactionId === null)
  const view = new Set(said.filter(({ hiddenBy }) => hiddenBy === null).map(({ seq }) => seq))
  return operations.toReversed().map(({ detail }) => {
    const counts = { ...NOTHING }
    for (const { seq, hiddenBy } of said) {
      if (inRanges(detail.hidden, seq)) {
        counts.hiddenCount += 1
        view.add(seq)
      } else if (inRanges(detail.shown, seq)) {
        counts.shownCount += 1
        view.delete(seq)
      }
      // It was written later.
      if (seq > detail.lastSeq) view.delete(seq)
      if (hiddenBy !== null && view.has(seq)) counts.restoresCount += 1
    }
    return counts
  })
}

/**
 * The facts that decide it: operations that hide messages, visible messages, the last operation on each output, and the
 * last that left each message out or brought it back.
 */
type UndoState = {
  hiding: Set<string | null>
  visible: Set<string>
  latest: Set<string>
  latestOnMessage: Map<string, string>
  /** Operations on files that were taken back. */
  reverted: ReadonlySet<string | undefined>
}

function latestOnMessages({ operations }: Outline): Map<string, string> {
  const latest = new Map<string, string>()
  for (const { id, detail } of operations)
    for (const messageId of [...(detail.leftOut ?? []), ...(detail.broughtBack ?? [])])
      latest.set(messageId, id)
  return latest
}

/** The last operation on each output that was condensed. */
function latestOfOutputs({ operations }: Outline): Set<string> {
  const about = operations.filter(({ kind }) => kind === 'uncondense' || kind === 'recondense')
  const latest = new Map(
    about.map(({ id, detail: { targetMessageId, toolCallId } }) => [`${targetMessageId} ${toolCallId}`, id]),
  )
  return new Set(latest.values())
}

function canUndo(
  { id, kind, detail }: HistoryOperation,
  { hiding, visible, latest, latestOnMessage, reverted }: UndoState,
): boolean {
  switch (kind) {
    case 'rewind':
    case 'unrewind':
      return hiding.has(id)
    case 'revert':
      return !reverted.has(id)
    case 'compaction':
      return detail.summaryMessageId !== undefined && visible.has(detail.summaryMessageId)
    case 'prune':
      return true
    case 'uncondense':
    case 'recondense':
      return latest.has(id)
    case 'leaveout':
    case 'bringback': {
      const { targetMessageId = '' } = detail
      return visible.has(targetMessageId) && latestOnMessage.get(targetMessageId) === id
    }
    case 'uncompaction':
    case 'unprune':
    case 'branch':
    case 'switch':
      return false
  }
}
