/** How full a session's context window is, in tokens. */
export type ContextWindow = {
  used: number
  /** The model's limit; null when it is unknown. */
  limit: number | null
  /** The limit less the reserve kept for the reply; null with an unknown limit. */
  usable: number | null
  /** True when `used` holds tokens that no provider has counted yet. */
  estimated: boolean
}

/** Tokens kept free for the reply at most; a smaller `maxOutput` of the model keeps less free. */
export const RESERVE_TOKENS = 20_000

export type WindowLimits = { contextLimit: number | null; maxOutput: number | null }

/**
 * Computes the window of a model with these limits (tokens, null for unknown). `reserve` is what was configured, null
 * for `RESERVE_TOKENS` or a smaller `maxOutput`; never more than half of the limit, or small models could say nothing.
 */
export function contextWindow(
  used: number,
  estimated: boolean,
  { contextLimit: limit, maxOutput }: WindowLimits,
  reserve: number | null = null,
): ContextWindow {
  if (limit === null) return { used, limit, usable: null, estimated }
  const wanted = reserve ?? Math.min(RESERVE_TOKENS, maxOutput ?? RESERVE_TOKENS)
  return { used, limit, usable: limit - Math.min(wanted, Math.floor(limit / 2)), estimated }
}
