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

/** Share of the limit that is kept free for a reply of unknown length, and for any reply at most. */
const UNKNOWN_REPLY_SHARE = 0.25
const MOST_REPLY_SHARE = 0.5

export type WindowLimits = { contextLimit: number | null; maxOutput: number | null }

/**
 * Computes the window of a model with these limits (tokens, null for unknown). `reserve` is what was configured, null for
 * `RESERVE_TOKENS` or a smaller `maxOutput`, a quarter of the limit where that is unknown; never more than half of the
 * limit, or small models could say nothing.
 */
export function contextWindow(
  used: number,
  estimated: boolean,
  { contextLimit: limit, maxOutput }: WindowLimits,
  reserve: number | null = null,
): ContextWindow {
  if (limit === null) return { used, limit, usable: null, estimated }
  const longest = maxOutput ?? Math.floor(limit * UNKNOWN_REPLY_SHARE)
  const wanted = reserve ?? Math.min(RESERVE_TOKENS, longest)
  return { used, limit, usable: limit - Math.min(wanted, Math.floor(limit * MOST_REPLY_SHARE)), estimated }
}

/** Tokens of the limit that a request leaves free for its reply at least. */
export const LEAST_REPLY = 256

/** How much larger than planned a request may be counted by its server. */
const COUNTED_MORE = 1.1
const SMALL_WINDOW = 32_000

/**
 * Tokens that a reply is requested with at most: never more than half of the window, and what a request of `planned` tokens leaves of
 * a small one, or of any when it reaches into the reserve. Null where the model's limit is unknown.
 */
export function replyLimit(
  { contextLimit, maxOutput }: WindowLimits,
  planned: number,
  usable: number | null,
): number | null {
  if (maxOutput === null || contextLimit === null) return maxOutput
  const most = Math.min(maxOutput, Math.floor(contextLimit * MOST_REPLY_SHARE))
  if (contextLimit >= SMALL_WINDOW && planned < (usable ?? contextLimit)) return most
  return Math.min(most, Math.max(LEAST_REPLY, Math.floor(contextLimit - COUNTED_MORE * planned)))
}

/** Share of the usable window that the outputs of one step may take, in a small window and in others. */
const OUTPUT_SHARE = { small: 0.25, other: 0.5 }
const BYTES_PER_TOKEN = 4

/** Bytes that the output of each of so many calls may have; null without a known window. */
export function outputLimit(usable: number | null, calls: number): number | null {
  if (usable === null) return null
  const share = usable < SMALL_WINDOW ? OUTPUT_SHARE.small : OUTPUT_SHARE.other
  return Math.floor((usable * share * BYTES_PER_TOKEN) / Math.max(1, calls))
}

/** Share of the usable window that the system prompt and the tool definitions may take together. */
const FIXED_SHARE = 0.25

/** Tokens that the fixed part of a request may take; null without a known window. */
export function fixedLimit(usable: number | null): number | null {
  return usable === null ? null : Math.floor(usable * FIXED_SHARE)
}

/** A limit in tokens that holds for large windows, and at most this share of a smaller one. */
export function scaledLimit(tokens: number, usable: number | null, share: number): number {
  return usable === null ? tokens : Math.min(tokens, Math.floor(usable * share))
}
