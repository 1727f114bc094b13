/** Git's modes of what a path can be: a file, one that can be executed, a link (its content is its target). */
export const FILE_MODES = ['100644', '100755', '120000'] as const
export type FileMode = (typeof FILE_MODES)[number]

/** What is at a path: the id of its content in the store of contents, and its mode. */
export type FileState = { id: string; mode: FileMode }

/** Why a content is not kept. `unknown-folder`: nothing keeps the files of commands there, as without git. */
export const NOT_KEPT_REASONS = ['too-large', 'unreadable', 'folder', 'name', 'unknown-folder'] as const
export type NotKeptReason = (typeof NOT_KEPT_REASONS)[number]

/**
 * `made`: it is on the disk. `uncertain`: it was made while a call ran, but maybe by somebody else. `pending`: an operation that is
 * stored has not made it yet. `conflict`: an operation left the file as it was, since somebody else had changed it; a person can still
 * choose. `settled`: such a change after the choice, or one that an operation gave up. `not-kept`: the file has changed, and its content is not kept. `open`:
 * a command that may change files runs, or ran when its host ended.
 */
export const CHANGE_STATUSES = [
  'made',
  'uncertain',
  'pending',
  'conflict',
  'settled',
  'not-kept',
  'open',
] as const
export type ChangeStatus = (typeof CHANGE_STATUSES)[number]

/** Who changed a file: a call of a tool, an operation on the history, or somebody else, as a person in an editor. */
export const CHANGE_AUTHORS = ['call', 'operation', 'person'] as const
export type ChangeAuthor = (typeof CHANGE_AUTHORS)[number]

/**
 * A row of the journal: what one path was before and after, null for nothing there. A change that a subagent has made is a row of its
 * own session and one of each session above it.
 */
export type FileChangeRow = {
  /** The order of all changes; given by the store. */
  ordinal: number
  sessionId: string
  author: ChangeAuthor
  /** The reply of the session that the change belongs to, and its run; null for those of operations. */
  messageId: string | null
  runId: string | null
  /** The call; null in the rows of the sessions above a subagent's. */
  toolCallId: string | null
  /** The session in which it was made: a subagent's, or `sessionId`. */
  madeIn: string
  operationId: string | null
  /** The real path of the folder, and the path in it. */
  root: string
  path: string
  before: FileState | null
  after: FileState | null
  status: ChangeStatus
  reason: NotKeptReason | null
  createdAt: number
}

export type NewFileChange = Omit<FileChangeRow, 'ordinal'>

/** What a person chooses for a file that somebody else has changed: it stays, is restored, or the restored one is put beside it. */
export const FILE_CHOICES = ['keep', 'restore', 'both'] as const
export type FileChoice = (typeof FILE_CHOICES)[number]
/** About the files that a message goes back past. `filesAsTheyAre`: go on though some could not be restored; else that is `FILES_PENDING`. */
export type AboutFiles = { files?: FileChoices; filesAsTheyAre?: boolean }

export type FileChoices = readonly { path: string; choice: FileChoice }[]

/**
 * What an operation does, or did, with a file. `restored`; `conflict`: somebody else changed it, so it stays unless a person chooses
 * otherwise; `kept`: it stays by choice; `beside`: the restored version was put beside it, at `copy`; `not-kept`: it can't be restored.
 */
export type FileFate =
  | { path: string; fate: 'restored' | 'conflict' | 'kept' }
  | { path: string; fate: 'beside'; copy: string }
  | { path: string; fate: 'not-kept'; reason: NotKeptReason }

export function sameState(one: FileState | null, other: FileState | null): boolean {
  return one === null || other === null ? one === other : one.id === other.id && one.mode === other.mode
}
