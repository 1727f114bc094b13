/** A change of a workspace's files: the snapshots before and after it. */
export type FileSpan = { before: string; after: string }
