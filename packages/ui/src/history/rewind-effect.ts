/** What a rewind does: messages that it hides, and files that it restores; null when it leaves all files alone. */
export type RewindEffect = { hides: number; files: number | null }
