import { AppError } from '../../domain/errors.ts'
import type { FileChangeRow, FileState } from '../../domain/workspace/file-journal.ts'
import type { ChangeMoment, JournalEntry } from './changes-service.ts'

/** Whether a row describes what was on the disk. */
export function isOnDisk({ status, path }: FileChangeRow): boolean {
  return (status === 'made' || status === 'uncertain') && path !== '.'
}

/** What a file was at a moment, by all changes of it. `INVALID_INPUT` of `field` for a moment that is not among them. */
export function stateAt(
  rows: readonly FileChangeRow[],
  moment: Exclude<ChangeMoment, { at: 'now' }>,
  field: string,
): FileState | null {
  if (moment.at === 'start') return rows[0]?.before ?? null
  const chosen = rows.filter((row) =>
    moment.at === 'change' ? row.ordinal === moment.ordinal : row.runId === moment.runId,
  )
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (first === undefined || last === undefined)
    throw new AppError('INVALID_INPUT', 'There is no such change of this file.', { field })
  return moment.at === 'before-run' ? first.before : last.after
}

export function entryOf(row: FileChangeRow): JournalEntry {
  const { ordinal, author, madeIn, runId, messageId, toolCallId, operationId, status, createdAt } = row
  const uncertain = status === 'uncertain'
  return { ordinal, author, madeIn, runId, messageId, toolCallId, operationId, uncertain, at: createdAt }
}
