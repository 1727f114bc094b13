/** Bounds of what a caller may send. Each answers with `INVALID_INPUT` that names the field. */
export const LIMITS = {
  /** Bytes of one request body or socket message. */
  requestBytes: 16 * 1024 * 1024,
  /** Characters of text in one message. */
  messageCharacters: 1_000_000,
  partsPerMessage: 64,
  filesPerMessage: 10,
  /** Characters of an attachment's data URL: 1 MB of bytes in base64. */
  fileCharacters: 1_400_000,
  titleCharacters: 200,
  searchCharacters: 200,
  /** Characters of a session's metadata as JSON. */
  metadataCharacters: 16_384,
  pageSize: 200,
  defaultPageSize: 50,
  queuedMessages: 100,
  /** Runs at once in one host. */
  runs: 1_000,
} as const
