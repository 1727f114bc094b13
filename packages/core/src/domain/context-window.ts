/** How full a session's context window is, in tokens. */
export type ContextWindow = {
  used: number
  /** The model's limit; null when nobody knows it. */
  limit: number | null
  /** The limit less the reserve kept for the reply; null with an unknown limit. */
  usable: number | null
  /** True when `used` holds tokens that no provider has counted yet. */
  estimated: boolean
}

/** Tokens kept free for the reply at most; a smaller `maxOutput` of the model keeps less free. */
export const RESERVE_TOKENS = 20_000

/** Works out the window of a model with these limits (tokens, null for unknown). */
export function contextWindow(
  used: number,
  estimated: boolean,
  limits: { contextLimit: number | null; maxOutput: number | null },
): ContextWindow {
  const limit = limits.contextLimit
  if (limit === null) return { used, limit, usable: null, estimated }
  const reserve = Math.min(RESERVE_TOKENS, limits.maxOutput ?? RESERVE_TOKENS)
  return { used, limit, usable: Math.max(0, limit - reserve), estimated }
}
