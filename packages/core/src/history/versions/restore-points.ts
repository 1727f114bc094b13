import type { HistoryKind, HistoryOperation } from '../../domain/history-operation.ts'
import type { Outline } from '../../domain/outline.ts'
import type { RestorePoint, RestoreReason } from '../history-service.ts'
import { takenBack, visibleNow } from '../operation/outline.ts'

const LABELS: Record<RestoreReason, string> = {
  edit: 'Before you changed the question',
  regenerate: 'Before you asked for another reply',
  rewind: 'Before you rewound',
  restore: 'Before you restored',
  version: 'Before you switched the version',
  summary: 'Before the summary',
  'summary-undone': 'Before you undid the summary',
}

/** The states in which the history was changed, the latest first: each is what was visible before that change. */
export function restorePointsOf(outline: Outline): RestorePoint[] {
  const summaries = new Set(
    outline.entries.filter(({ compactionId }) => compactionId !== null).map(({ seq }) => seq),
  )
  const points: RestorePoint[] = []
  let view = visibleNow(outline)
  for (const operation of outline.operations.toReversed()) {
    const { id, createdAt, detail } = operation
    view = takenBack(outline, view, detail)
    const reason = reasonOf(outline, operation)
    if (reason === null) continue
    const messages = [...view].filter((seq) => seq <= detail.lastSeq && !summaries.has(seq)).length
    const tokens = detail.beforeTokens ?? null
    points.push({ pointId: id, reason, label: LABELS[reason], at: createdAt, messages, tokens })
  }
  return points
}

/** Null for an operation that hides and shows no message. */
function reasonOf({ entries }: Outline, { kind, detail }: HistoryOperation): RestoreReason | null {
  if (kind === 'rewind') {
    if (detail.replacedMessageId !== undefined) return 'edit'
    const next = entries.find(({ seq }) => seq > detail.lastSeq)
    return next?.role === 'assistant' && next.compactionId === null ? 'regenerate' : 'rewind'
  }
  if (kind === 'unrewind') return detail.targetMessageId === undefined ? 'restore' : 'version'
  return SUMMARIES[kind] ?? null
}

const SUMMARIES: Partial<Record<HistoryKind, RestoreReason>> = {
  compaction: 'summary',
  uncompaction: 'summary-undone',
}
