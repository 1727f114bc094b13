/** What a context window is made of: instructions with the tools' descriptions, and what the messages hold. */
export const CONTENT_KINDS = [
  'instructions',
  'summary',
  'prompts',
  'replies',
  'reasoning',
  'tools',
  'files',
] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]

/** Tokens of each kind, estimated. */
export type WindowContent = Record<ContentKind, number>
