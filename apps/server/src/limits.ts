/** Bounds of one connection. Those of what a caller may send are `LIMITS` of the domain. */
export const SERVER_LIMITS = {
  /** Subscriptions that one WebSocket carries at once. */
  subscriptionsPerSocket: 1000,
  /** Calls in one socket message: a client that comes back names all of its subscriptions in one. */
  callsPerMessage: 1000,
  /** Calls in one HTTP request. */
  callsPerRequest: 100,
  /** Bytes that may wait in a socket before its streams pause, and before nothing more is read from it. */
  unsentBytes: 256 * 1024,
  /** Milliseconds in which a reader takes nothing of what waits for it until its connection is cut. */
  readerStallMs: 60_000,
  /** Bytes of an export that is read in as a stream. */
  importBytes: 256 * 1024 * 1024,
  /** Wrong tokens from one address in a minute. */
  wrongTokensPerMinute: 20,
} as const
