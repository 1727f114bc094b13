import type { FileState, NotKeptReason } from '../domain/workspace/file-journal.ts'
import type { FileSpan } from '../domain/workspace/file-span.ts'

/** What is at a path. Its content is kept; `blocked` when it can't be, or when the path can't be reached. */
export type FoundFile = { type: 'file'; state: FileState | null } | { type: 'blocked'; reason: NotKeptReason }

/** A path that differs between two captures. `notKept`: one of its contents is not kept. */
export type FileDelta = {
  path: string
  before: FileState | null
  after: FileState | null
  notKept: NotKeptReason | null
}

/**
 * All files of a folder under an id, and what has changed since the capture before, of which `previous` is the id; null for the first
 * one. A file that was there all the time is no change when only the ignore rules that name it changed.
 */
export type Capture = { previous: string | null; state: string; changes: FileDelta[] }

/** A file that an operation takes from one state to another. */
export type FileMove = { path: string; from: FileState | null; to: FileState | null }

/**
 * `done`: the file is as `to`. `changed`: it was not as `from`, so it is as it was, and as `found`. `others`: versions that somebody
 * else wrote meanwhile, which are kept.
 */
export type MovedFile = ({ type: 'done' } | { type: 'changed'; found: FoundFile }) & { others: FileState[] }

/**
 * Contents of a workspace's files, kept outside of it and of its version control, each under an id, and captures of all files of a
 * folder. Paths are relative to the root, a real path, with `/` between names. Only `move` and `clean` touch files.
 */
export interface Snapshots {
  /** Whether all files of a root can be captured. Where not, `capture` and `changed` are not called. */
  covers(root: string): Promise<boolean>
  /** Captures the current files. Rejects where that is not possible, as without git. */
  capture(root: string): Promise<Capture>
  /** For each span, the paths that differ between its captures. Fails for one that this layer does not have. */
  changed(root: string, spans: readonly FileSpan[]): Promise<FileDelta[][]>
  /** Keeps a content and returns its id. */
  keep(root: string, bytes: Uint8Array): Promise<string>
  /** A content; null when it is not there. */
  read(root: string, id: string): Promise<Uint8Array | null>
  /** Keeps what is at a path now. */
  look(root: string, path: string): Promise<FoundFile>
  /**
   * Takes one file from a state to another unless it is in none of both; it can be called again after an end in the middle. No
   * version that was there is lost. Rejects when it can't be written, as on a full disk, with the file as it was.
   */
  move(root: string, move: FileMove): Promise<MovedFile>
  /** Removes what an end in the middle of a `move` or write left beside these paths; moves back what was moved aside. Returns versions that only these held. */
  clean(root: string, paths: readonly string[]): Promise<{ path: string; state: FileState }[]>
  /** Removes all contents of a root, which nothing names any more; the root itself may be gone. */
  forget(root: string): Promise<void>
}
