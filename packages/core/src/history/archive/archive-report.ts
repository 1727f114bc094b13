import type { ArchiveReport } from '../../domain/export/archive-report.ts'
import { ARCHIVE_LIMITS } from './archive-format.ts'

const NAME_CHARACTERS = 200

/** Counts what happens to the entries of an archive. */
export function createReport() {
  const report: ArchiveReport = {
    sessions: { imported: 0, copied: 0, skipped: 0, failed: 0 },
    files: { imported: 0, skipped: 0, failed: 0 },
    settings: 'none',
    complete: false,
    problems: [],
    moreProblems: 0,
  }
  return {
    report,
    problem(name: string, reason: string, title: string | null = null): void {
      if (report.problems.length === ARCHIVE_LIMITS.problems) report.moreProblems += 1
      else report.problems.push({ name: name.slice(0, NAME_CHARACTERS), title, reason })
    },
  }
}
