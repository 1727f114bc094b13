import type {
  ChangeStatus,
  FileChangeRow,
  FileState,
  NewFileChange,
} from '../domain/workspace/file-journal.ts'
import type { WorkspaceFiles } from './files.ts'

/** What has become of a row. `before` and `after` are left as they are without them. */
export type FileChangeUpdate = {
  ordinal: number
  status: ChangeStatus
  before?: FileState | null
  after?: FileState | null
}

/** Rows that one page has at most. */
export const JOURNAL_PAGE = 1_000

/** The rows of `file_changes`: which call, person or operation changed which file. Every method is atomic. */
export interface FileJournal {
  /** Adds rows in this order and returns their ordinals. `SESSION_NOT_FOUND` when one of their sessions is gone. */
  add(changes: readonly NewFileChange[]): Promise<number[]>
  /** Removes rows, and adds others in their place. */
  replace(ordinals: readonly number[], changes: readonly NewFileChange[]): Promise<number[]>
  update(updates: readonly FileChangeUpdate[]): Promise<void>
  /** The next `JOURNAL_PAGE` rows of a session after an ordinal, in order. */
  ofSession(sessionId: string, after: number): Promise<FileChangeRow[]>
  /** The latest row of a session for a path that is on the disk: `made` or `uncertain`. */
  latest(sessionId: string, root: string, path: string): Promise<FileChangeRow | null>
  /** Rows of all sessions that are `pending` or `open`. */
  unfinished(): Promise<FileChangeRow[]>
}

/** Notes which files the calls of a run change. */
export type CallJournal = {
  /** Files that note what a call writes. */
  filesFor(toolCallId: string): WorkspaceFiles
  /** Does what may change any file of the folder, and notes what it has changed. */
  around<T>(toolCallId: string, work: () => Promise<T>): Promise<T>
  /** Notes what changes until a command in the background has ended. */
  follow(toolCallId: string, ended: Promise<unknown>): void
}
