import { AppError } from '../../domain/errors.ts'
import type { HistoryDetail } from '../../domain/history-operation.ts'
import type { Outline } from '../../domain/outline.ts'
import { changeTo } from '../change.ts'
import { visibleNow } from '../outline.ts'

/** Takes back the compaction whose summary is visible: the summary goes, what it stood for comes back. */
export function planUncompaction(outline: Outline): HistoryDetail {
  const summary = outline.entries.findLast(
    ({ compactionId, hiddenBy }) => compactionId !== null && hiddenBy === null,
  )
  if (summary === undefined) throw new AppError('CONFLICT', 'Nothing is summarised in this session.')
  const operationId = summary.compactionId ?? ''
  const summarised = outline.entries.filter(({ hiddenBy }) => hiddenBy === operationId).map(({ seq }) => seq)
  const next = new Set([...visibleNow(outline), ...summarised])
  next.delete(summary.seq)
  return { ...changeTo(outline, next), undoes: operationId }
}
