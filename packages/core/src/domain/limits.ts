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
  /** Bytes of a file up to which it is kept in its message; larger ones become blobs. */
  inlineFileBytes: 65_536,
  /** Bytes of one uploaded file. */
  blobBytes: 20 * 1024 * 1024,
  /** Uploads that are not finished. */
  uploads: 200,
  /** Bytes of all uploaded files that no message names. */
  pendingBlobBytes: 1024 * 1024 * 1024,
  /** Characters of one text file, and bytes of all other files, that a request to a model carries. */
  attachedCharacters: 1_000_000,
  requestFileBytes: 50 * 1024 * 1024,
  titleCharacters: 200,
  searchCharacters: 200,
  /** Characters of a session's metadata as JSON. */
  metadataCharacters: 16_384,
  pageSize: 200,
  /** Restore points in one answer: the latest ones, or those before a point that is named. */
  restorePoints: 2_000,
  defaultPageSize: 50,
  /** Bytes of the parts on one page of messages, which has one message at least: a page is serialised in one go. */
  pageBytes: 4_000_000,
  queuedMessages: 100,
  /** Characters of the messages that wait in one session, files included: all of them are read and shown at once. */
  queuedCharacters: 32 * 1024 * 1024,
  /** Runs at once in one host. */
  runs: 1_000,
  /** How deep subagents may start subagents, and how many of one root may run or wait at once. */
  subagentDepth: 5,
  subagents: 32,
  /** Characters of what a subagent is asked to do, and of its final text that its caller gets. */
  taskCharacters: 100_000,
  /** Questions that a model asks at once, and options of one. */
  questions: 4,
  options: 8,
  /** Values that a server asks for in one form, options of one, and forms of one call. */
  formFields: 20,
  formOptions: 50,
  forms: 20,
  /** Characters of one answer or of a denial's reason, and texts of the answer to one question. */
  replyCharacters: 4_000,
  answerTexts: 20,
  /** Characters of a person's own instructions: 8,000 tokens at two characters each. */
  instructionsCharacters: 16_000,
  /** Providers that a person may enter, and what one takes. */
  providers: 50,
  modelsPerProvider: 100,
  modelIdCharacters: 200,
  providerLabelCharacters: 100,
  addressCharacters: 2_048,
  apiKeyCharacters: 4_096,
  /** Rules that persons give to one session, and to one workspace. */
  rules: 1_000,
  /** Characters of a rule's pattern. */
  patternCharacters: 1_000,
} as const

/** Bounds of what an import may bring beside those above. Each answers with `INVALID_INPUT` that names line and column. */
export const IMPORT_LIMITS = {
  /** Characters of one row: more than the longest reply takes in JSON inside JSON. */
  rowCharacters: 64 * 1024 * 1024,
  /** Characters of a text in a part or in metadata: more than a reply has. */
  textCharacters: 32 * 1024 * 1024,
  /** Replies have more parts than people may send. */
  partsPerMessage: 10_000,
  /** How deep the JSON in a row may be nested. */
  nesting: 64,
  /** JSON values in one column of a row: more than arguments of 1 MB and a result within its limits can hold. */
  values: 600_000,
  /** How deep a session's metadata may be nested, imported or not. */
  metadataNesting: 16,
  /** Characters of a session's metadata: what its caller may set, and our own keys. */
  metadataCharacters: LIMITS.metadataCharacters + 1_024,
  /** Places of messages and parts end here, so that more can follow in a column of 32 bits. */
  seq: 1_000_000_000,
  /** Epoch milliseconds of the year 9999's last day: later ones have no date in SQL. */
  time: 253_402_300_799_999,
  /** Tokens that one message counts, and a session's sums: beyond them sums would no longer be exact. */
  tokensPerMessage: 2_147_483_647,
  tokensPerSession: 1_000_000_000_000_000,
} as const
