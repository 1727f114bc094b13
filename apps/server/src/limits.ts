/** Bounds of one connection. Those of what a caller may send are `LIMITS` of the domain. */
export const SERVER_LIMITS = {
  /** Subscriptions that one WebSocket carries at once. */
  subscriptionsPerSocket: 1000,
  /** Calls in one socket message: a client that comes back names all of its subscriptions in one. */
  callsPerMessage: 1000,
  /** Calls in one HTTP request. */
  callsPerRequest: 100,
  /** Bytes that may wait in a socket before its streams pause. */
  unsentBytes: 1024 * 1024,
  /** Bytes of an export that is read in as a stream. */
  importBytes: 256 * 1024 * 1024,
  /** Wrong tokens from one address in a minute. */
  wrongTokensPerMinute: 20,
} as const
