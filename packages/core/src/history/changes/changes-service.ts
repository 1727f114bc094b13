import type { FileChange } from '../../domain/workspace/file-change.ts'
import type {
  ChangeAuthor,
  FileChoices,
  FileFate,
  FileMode,
  NotKeptReason,
} from '../../domain/workspace/file-journal.ts'

/**
 * A moment in the files of a chat: before its first change, before or after the changes of a run, just after one change (its
 * `ordinal`), or as they are on the disk.
 */
export type ChangeMoment =
  | { at: 'start' }
  | { at: 'before-run' | 'after-run'; runId: string }
  | { at: 'change'; ordinal: number }
  | { at: 'now' }

/** One change of one file. `madeIn` is another session than that of the list when a subagent made it. */
export type JournalEntry = {
  ordinal: number
  author: ChangeAuthor
  madeIn: string
  runId: string | null
  messageId: string | null
  toolCallId: string | null
  operationId: string | null
  /** It was made while a command ran, maybe by somebody else. */
  uncertain: boolean
  at: number
}

/**
 * A file that the chat, or the run, has changed, from before its first change to after its last one. `lines` is null for what is no
 * text, or too large. `now`: the file is as the chat left it, was changed by somebody else since, or is gone.
 */
export type ChangedFile = {
  path: string
  change: 'created' | 'changed' | 'deleted' | 'unchanged'
  lines: { added: number; removed: number } | null
  now: 'as-left' | 'changed-since' | 'gone'
  entries: JournalEntry[]
}

/** Files of an operation that somebody else had changed, and that a person has not decided about. */
export type OpenConflict = { operationId: string; path: string; at: number }

/** `pending`: files that a stored operation has not restored yet; the next message is refused until they are, or are left. */
export type ChangeList = {
  /** Whether anything keeps the files of commands in the folder; where not, only those of `write` and `edit` are listed. */
  coverage: 'all' | 'write-and-edit' | 'none'
  files: ChangedFile[]
  notKept: { path: string; reason: NotKeptReason; toolCallId: string | null; messageId: string | null }[]
  conflicts: OpenConflict[]
  pending: { operationId: string; paths: string[] } | null
}

/** `hunks` index the diff's `@@` parts from 0: what `revert` takes. `diff` is null for what is no text. */
export type PathDiff = {
  path: string
  change: FileChange | null
  hunks: number
  before: { mode: FileMode; bytes: number } | null
  after: { mode: FileMode; bytes: number } | null
}

/** What `revert` takes back of a file: its changes by the chat or the run, or these hunks of the diff of them. */
export type RevertHunks = { path: string; hunks: number[] }

export type ChangesResult = { operationId: string; fates: FileFate[] }

/** The files that a chat has changed. Operations are refused with `SESSION_BUSY` while a run is on. */
export interface ChangesService {
  list(input: { sessionId: string; runId?: string }): Promise<ChangeList>
  /** From before the chat's first change, until now. `INVALID_INPUT` of field `path` for a path that the chat has not changed. */
  diff(input: { sessionId: string; path: string; from?: ChangeMoment; to?: ChangeMoment }): Promise<PathDiff>
  /**
   * Takes back what the chat, or the run, did to these paths, or to these hunks; one operation, which `unrewind` with its id undoes.
   * A path that somebody else has changed since is a conflict that stays, unless `files` chooses otherwise.
   */
  revert(input: {
    sessionId: string
    runId?: string
    paths?: string[]
    hunks?: RevertHunks[]
    files?: FileChoices
  }): Promise<ChangesResult>
  /** Decides open conflicts of an operation; an operation of its own. `CONFLICT` for paths that are none any more. */
  resolve(input: { sessionId: string; operationId: string; files: FileChoices }): Promise<ChangesResult>
  /** Tries again to make what is pending; `leave` gives it up, and the files stay as they are. */
  settle(input: { sessionId: string; leave?: boolean }): Promise<{ pending: ChangeList['pending'] }>
  /** A patch for `git apply`, from before the chat or run until after it. */
  patch(input: { sessionId: string; runId?: string; paths?: string[] }): Promise<{ patch: string }>
}
