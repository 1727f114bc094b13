/** How far the replies of a session may differ from their estimates. */
export const WINDOW_SCALE = { min: 0.5, max: 2 } as const

/** The scale of a window within its bounds: 1 for what is no number. Rows of earlier imports hold any number. */
export function soundScale(scale: number): number {
  return Number.isNaN(scale) ? 1 : Math.min(WINDOW_SCALE.max, Math.max(WINDOW_SCALE.min, scale))
}

/** A stored window with its scale within the bounds. */
export function soundWindow(window: Record<string, unknown>): Record<string, unknown> {
  const { scale } = window
  return typeof scale === 'number' ? { ...window, scale: soundScale(scale) } : window
}

/** What the window held after a message's last step, and what that figure depends on. */
export type CountedWindow = {
  tokens: number
  /** Tokens of these that are the system prompt and the tool definitions, estimated. */
  fixed?: number
  /** The compaction under whose summary it was counted. */
  compactionId?: string
  /** No provider has counted it. */
  estimated?: boolean
  /** Characters of pruned and condensed outputs that were left out of what was counted. */
  pruned?: number
  /** Condensed forms of the message itself that were in use when it was counted. */
  condensed?: number
  /** Tokens that the session's replies had been counted as for each one estimated, within `WINDOW_SCALE`; 1 when absent. */
  scale?: number
}
