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
