import type { HistoryOperation } from '../../domain/history-operation.ts'
import type { Outline } from '../../domain/outline.ts'
import { inRanges, type SeqRange } from '../../domain/seq-ranges.ts'
import type { TimelineEntry } from '../history-service.ts'
import { lastRewind } from '../rewind/plan-rewind.ts'

/** A session's operations, the latest first, each with the counts it hid and showed, and whether it can be undone. */
export function timelineOf(outline: Outline): TimelineEntry[] {
  const hiding = new Set(outline.entries.map(({ hiddenBy }) => hiddenBy))
  const visible = new Set(outline.entries.filter(({ hiddenBy }) => hiddenBy === null).map(({ id }) => id))
  const state = {
    hiding,
    visible,
    latest: latestOfOutputs(outline),
    latestOnMessage: latestOnMessages(outline),
  }
  const next = lastRewind(outline)?.id
  return outline.operations
    .map((operation) => ({
      ...operation,
      hiddenCount: count(outline, operation.detail.hidden),
      shownCount: count(outline, operation.detail.shown),
      canUndo: operation.id === next || canUndo(operation, state),
    }))
    .reverse()
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
  { hiding, visible, latest, latestOnMessage }: UndoState,
): boolean {
  switch (kind) {
    case 'rewind':
    case 'unrewind':
      return hiding.has(id)
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

function count({ entries }: Outline, ranges: readonly SeqRange[]): number {
  return entries.filter(({ seq }) => inRanges(ranges, seq)).length
}
