import type { FileChangeRow } from '../../domain/file-journal.ts'
import { JOURNAL_PAGE, type Store } from '../../ports/index.ts'

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
