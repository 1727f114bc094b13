import type { FileChangeRow, NewFileChange } from '../../domain/workspace/file-journal.ts'
import { type Clock, JOURNAL_PAGE, type Store } from '../../ports/index.ts'

/** All rows of a session, read a page at a time. */
export async function allRows(
  { fileChanges }: Pick<Store, 'fileChanges'>,
  sessionId: string,
): Promise<FileChangeRow[]> {
  const rows: FileChangeRow[] = []
  for (;;) {
    const page = await fileChanges.ofSession(sessionId, rows.at(-1)?.ordinal ?? 0)
    rows.push(...page)
    if (page.length < JOURNAL_PAGE) return rows
  }
}

/** What the rows of persons and operations have in common: no call. */
export function rowBase(sessionId: string, root: string, clock: Pick<Clock, 'now'>) {
  return {
    sessionId,
    root,
    messageId: null,
    runId: null,
    toolCallId: null,
    madeIn: sessionId,
    operationId: null,
    createdAt: clock.now(),
  }
}

/** A change that no call has made. */
export function personRow(
  sessionId: string,
  { root, path, before, after }: Pick<NewFileChange, 'root' | 'path' | 'before' | 'after'>,
  clock: Pick<Clock, 'now'>,
): NewFileChange {
  const base = rowBase(sessionId, root, clock)
  return { ...base, author: 'person', path, before, after, status: 'made', reason: null }
}
