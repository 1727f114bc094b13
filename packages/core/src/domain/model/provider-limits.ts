/** Bounds of what one answer of a provider may hold. Past any of them the run ends with `PROVIDER_ERROR`. */
export const PROVIDER_LIMITS = {
  /** Bytes of a streamed answer, decompressed: 300,000 tokens at 400 bytes an event. */
  streamBytes: 128 * 1024 * 1024,
  /** Lines of a streamed answer: 500,000 events of three lines. */
  streamLines: 1_500_000,
  /** Bytes of an answer that is not streamed, decompressed. */
  bodyBytes: 4 * 1024 * 1024,
  /** Bytes of an error's body that are read; the rest is left. */
  errorBytes: 1024 * 1024,
  /** Bytes of one event of a stream: an image of 6 MB in base64. */
  eventBytes: 8 * 1024 * 1024,
  /** JSON values in one event, or in an answer that is not streamed. */
  eventValues: 50_000,
  /** Levels of nesting in the JSON of one event, or of an answer that is not streamed. */
  eventNesting: 256,
  /** Levels of nesting in the arguments of a call, and in anything else that becomes a part. */
  nesting: 64,
  /** Characters of text, reasoning and arguments in one step. */
  replyCharacters: 24_000_000,
  /** Characters of one call's arguments as JSON. */
  argumentCharacters: 1_048_576,
  callsPerStep: 128,
  /** Texts, thoughts, calls, results, files and sources in one step. */
  partsPerStep: 2_000,
  /** Characters of one thought. */
  thoughtCharacters: 2_000_000,
  /** Events one after the other of which nothing comes: a second's worth, and hours of pings. */
  emptyEvents: 20_000,
  /** The same in a whole answer. */
  emptyEventsInAll: 100_000,
  /** Lines one after the other that hold no event: comments, ends of lines and marks. */
  emptyLines: 60_000,
  /** Events that can't be read. */
  unreadableEvents: 1_000,
  /** Milliseconds from the request to the end of the answer. */
  answerMs: 2 * 60 * 60 * 1000,
} as const
