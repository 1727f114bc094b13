import type { HistoryDetail, HistoryKind, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import type { RestoreReason } from '../history-service.ts'
import { isInsideReply } from '../plan/view.ts'

/** A restore point as the outline has it. `tokens` is null when the outline lacks the count. */
export type OutlinePoint = {
  pointId: string
  reason: RestoreReason
  /** The message that was sent, replaced, gone back to or branched from. */
  messageId: string | null
  at: number
  messages: number
  tokens: number | null
}

/** What happened after a state: an operation, or a message that was sent. */
type Step = { type: 'operation'; operation: HistoryOperation } | { type: 'sent'; entry: OutlineEntry }

/** The states in which something was sent or the history was changed, the latest first: each is the one before that. */
export function restorePointsOf(outline: Outline): OutlinePoint[] {
  const { entries } = outline
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  const view = new Set(entries.filter(({ hiddenBy }) => hiddenBy === null).map(({ seq }) => seq))
  let last = entries.length - 1
  let summaries = entries.filter(({ seq, compactionId }) => view.has(seq) && compactionId !== null).length

  const show = (seq: number, shown: boolean) => {
    if (view.has(seq) === shown) return
    if (bySeq.get(seq)?.compactionId !== null) summaries += shown ? 1 : -1
    if (shown) view.add(seq)
    else view.delete(seq)
  }
  /** Leaves out what had not been written yet. */
  const cutAfter = (lastSeq: number) => {
    for (let entry = entries[last]; entry !== undefined && entry.seq > lastSeq; entry = entries[--last])
      show(entry.seq, false)
  }
  const takeBack = ({ detail }: HistoryOperation) => {
    if (detail.hidden.length + detail.shown.length === 0 && detail.summarySeq === undefined) return
    for (const { seq } of entries) {
      if (inRanges(detail.hidden, seq)) show(seq, true)
      else if (inRanges(detail.shown, seq) || seq === detail.summarySeq) show(seq, false)
    }
  }

  const steps = stepsOf(outline)
  const points: OutlinePoint[] = []
  for (const [index, step] of [...steps.entries()].reverse()) {
    if (step.type === 'operation') takeBack(step.operation)
    cutAfter(step.type === 'operation' ? step.operation.detail.lastSeq : step.entry.seq - 1)
    const previous = steps[index - 1]
    const named = nameOf(step, previous, bySeq)
    if (named === null) continue
    const tokens = view.size === 0 ? 0 : tokensAt(step, previous, view, bySeq)
    points.push({ ...named, messages: view.size - summaries, tokens })
  }
  return points
}

/** Operations and the person's messages in the order in which they came. */
function stepsOf(outline: Outline): Step[] {
  const newest = outline.entries.at(-1)?.seq ?? 0
  const sent = outline.entries.filter((entry) => entry.role === 'user' && !isInsideReply(outline, entry))
  const steps: Step[] = []
  let at = 0
  const sendUpTo = (lastSeq: number) => {
    for (let entry = sent[at]; entry !== undefined && entry.seq <= lastSeq; entry = sent[++at])
      steps.push({ type: 'sent', entry })
  }
  for (const operation of outline.operations) {
    // The place of an operation that cannot be read is unknown: it comes where its row does.
    if (operation.detail.lastSeq <= newest) sendUpTo(operation.detail.lastSeq)
    steps.push({ type: 'operation', operation })
  }
  sendUpTo(newest)
  return steps
}

type Named = Pick<OutlinePoint, 'pointId' | 'reason' | 'messageId' | 'at'>

/** Null for a step before which the chat was as before another point. */
function nameOf(
  step: Step,
  previous: Step | undefined,
  bySeq: ReadonlyMap<number, OutlineEntry>,
): Named | null {
  if (step.type === 'sent') {
    const { id, seq, createdAt } = step.entry
    const replaces =
      previous?.type === 'operation' &&
      previous.operation.detail.lastSeq === seq - 1 &&
      previous.operation.detail.replacedMessageId !== undefined
    return replaces ? null : { pointId: id, reason: 'message', messageId: id, at: createdAt }
  }
  const { id, kind, detail, createdAt } = step.operation
  const reason = kind === 'rewind' ? rewindReason(detail, bySeq) : REASONS[kind]
  if (reason === undefined) return null
  const isVersion = kind === 'unrewind' && detail.targetMessageId !== undefined
  return {
    pointId: id,
    reason: isVersion ? 'version' : reason,
    messageId: detail.targetMessageId ?? null,
    at: createdAt,
  }
}

function rewindReason(
  { replacedMessageId, lastSeq }: HistoryDetail,
  bySeq: ReadonlyMap<number, OutlineEntry>,
): RestoreReason {
  if (replacedMessageId !== undefined) return 'edit'
  const next = bySeq.get(lastSeq + 1)
  return next?.role === 'assistant' && next.compactionId === null ? 'regenerate' : 'rewind'
}

/** A switch of the model has none: it is noted while a run begins, and the message that it came with is the point. */
const REASONS: Partial<Record<HistoryKind, RestoreReason>> = {
  unrewind: 'restore',
  compaction: 'summary',
  uncompaction: 'summary-undone',
  prune: 'results-dropped',
  unprune: 'results-restored',
  uncondense: 'result-whole',
  recondense: 'result-condensed',
  leaveout: 'leave-out',
  bringback: 'bring-back',
  branch: 'branch',
}

/** What the window held at a point, as it was counted then; null when no count of that moment is stored. */
function tokensAt(
  step: Step,
  previous: Step | undefined,
  view: ReadonlySet<number>,
  bySeq: ReadonlyMap<number, OutlineEntry>,
): number | null {
  if (step.type === 'operation') return step.operation.detail.beforeTokens ?? null
  const lastSeq = step.entry.seq - 1
  if (previous?.type === 'operation' && previous.operation.detail.lastSeq === lastSeq)
    return previous.operation.detail.afterTokens ?? null
  const last = view.has(lastSeq) ? bySeq.get(lastSeq) : undefined
  return last?.compactionId === null && last.window?.estimated !== true ? (last.window?.tokens ?? null) : null
}
