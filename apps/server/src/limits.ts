/** Limits of one connection. Those of callers' input are `LIMITS` of the domain. */
export const SERVER_LIMITS = {
  /** Subscriptions that one WebSocket carries at once. */
  subscriptionsPerSocket: 1000,
  /** Calls in one socket message: a reconnecting client sends all of its subscriptions in one. */
  callsPerMessage: 1000,
  /** Calls in one HTTP request. */
  callsPerRequest: 100,
  /** Bytes that may wait in a socket before its streams pause, and before no further call is read from it. */
  unsentBytes: 256 * 1024,
  /** Milliseconds in which a reader may read nothing of the waiting bytes until its connection is closed. */
  readerStallMs: 60_000,
  /** Milliseconds in which a request has to arrive whole, unless it is an archive. */
  requestMs: 300_000,
  /** Bytes of each call without a message or an export. */
  smallRequestBytes: 256 * 1024,
  /** Nested lists and objects in one request, before it is parsed. */
  nesting: 64,
  /** Values in the JSON of one request, before it is parsed. */
  valuesPerRequest: 50_000,
  /** Characters of an export that a call returns as one text; a longer one is read as a stream. */
  exportCharacters: 64 * 1024 * 1024,
  /** Bytes of an export that is imported as a stream. */
  importBytes: 256 * 1024 * 1024,
  /** Wrong tokens and cookies from one address in a minute. */
  wrongTokensPerMinute: 20,
  /** Characters of the shortest token for an address that other machines can reach. */
  tokenCharacters: 20,
} as const
