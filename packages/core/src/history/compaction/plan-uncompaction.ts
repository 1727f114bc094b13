import { AppError } from '../../domain/errors.ts'
import type { HistoryDetail } from '../../domain/history-operation.ts'
import type { Outline } from '../../domain/outline.ts'
import { inRanges } from '../../domain/seq-ranges.ts'
import { changeTo } from '../operation/change.ts'
import { visibleNow } from '../operation/outline.ts'

/** Takes back the compaction whose summary is visible: the summary goes, and what it stood for comes back. */
export function planUncompaction(outline: Outline): HistoryDetail {
  const summary = outline.entries.findLast(
    ({ compactionId, hiddenBy }) => compactionId !== null && hiddenBy === null,
  )
  if (summary === undefined) throw new AppError('CONFLICT', 'Nothing is summarised in this session.')
  const operation = outline.operations.find(({ id }) => id === summary.compactionId)
  if (operation === undefined) {
    const message = 'What this summary stands for is in the session that this one was branched from.'
    throw new AppError('CONFLICT', message)
  }
  const { hidden } = operation.detail
  const next = new Set(visibleNow(outline))
  for (const { seq } of outline.entries) if (inRanges(hidden, seq)) next.add(seq)
  next.delete(summary.seq)
  return { ...changeTo(outline, next), undoes: operation.id }
}
