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
  /** Bytes for each call that brings no message and no export. */
  smallRequestBytes: 256 * 1024,
  /** Lists and objects inside one another in one request, before it is parsed. */
  nesting: 64,
  /** Values in the JSON of one request, before it is parsed. */
  valuesPerRequest: 50_000,
  /** Bytes of an export that is read in as a stream. */
  importBytes: 256 * 1024 * 1024,
  /** Wrong tokens and cookies from one address in a minute. */
  wrongTokensPerMinute: 20,
  /** The shortest token that guards an address which other machines reach. */
  tokenCharacters: 20,
} as const
