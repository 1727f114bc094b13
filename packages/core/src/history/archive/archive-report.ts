import { ARCHIVE_LIMITS } from './archive-format.ts'

/** Something of an archive that was not imported. `title` is that of a session, as far as it was read. */
export type ArchiveProblem = { name: string; title: string | null; reason: string }

/** What an import of an archive did. */
export type ArchiveReport = {
  /** `copied` have new ids, since theirs are taken by other content; `skipped` are there already. */
  sessions: { imported: number; copied: number; skipped: number; failed: number }
  files: { imported: number; skipped: number; failed: number }
  settings: 'imported' | 'not-asked' | 'none'
  /** False when the archive ended before its manifest, or lacks entries that the manifest names. */
  complete: boolean
  /** The first ones. */
  problems: ArchiveProblem[]
  /** How many more there are. */
  moreProblems: number
}

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

export type ReportBuilder = ReturnType<typeof createReport>
