/** What the window held after a message's last step, and what that figure depends on. */
export type CountedWindow = {
  tokens: number
  /** The compaction under whose summary it was counted. */
  compactionId?: string
  /** No provider has counted it. */
  estimated?: boolean
  /** Characters of pruned and condensed outputs that were left out of what was counted. */
  pruned?: number
  /** Condensed forms of the message itself that were in use when it was counted. */
  condensed?: number
  /** Tokens that the session's replies had been counted as for each one estimated; 1 when absent. */
  scale?: number
}
