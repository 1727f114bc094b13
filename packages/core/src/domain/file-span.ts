/** A change of a workspace's files: the states that it led from and to. */
export type FileSpan = { before: string; after: string }
