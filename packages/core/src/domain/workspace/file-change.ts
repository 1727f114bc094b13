/** A change of one file, as a person sees it before and after it is made. */
export type FileChange = {
  /** Relative to the workspace. */
  path: string
  /** A unified diff with three lines of context. */
  diff: string
  /** Lines. */
  added: number
  removed: number
  created?: true
  /** The diff is cut off. */
  truncated?: true
}

/** A change that is about to be made; `stamp` is the SHA-256 of the file as it is, null for a new file. */
export type PlannedChange = FileChange & { stamp: string | null }
