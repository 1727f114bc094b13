/** Files and folders of a workspace. Paths are relative to its root; nothing outside it is reachable, also through links that change. */
export interface WorkspaceFiles {
  /**
   * The path of a file or folder relative to the root, with `/` between names, after all links are followed; the root itself is
   * `.`. What does not exist yet is located in the nearest folder that does. `INVALID_INPUT` for what is outside.
   */
  locate(root: string, path: string): Promise<string>
  /**
   * False where there is nothing by this name. A quick first look: true does not say that it can be reached. What a link leads to is
   * not looked at.
   */
  exists(root: string, path: string): Promise<boolean>
  /** The names in a folder, the folders with a `/` behind; null when the path is no folder. At most `limit` names, in order. */
  list(root: string, path: string, limit: number): Promise<{ names: string[]; total: number } | null>
  /**
   * What is at a path: a folder as `list` tells it, or a file as `read` does, with the path that `locate` has for it. Asks the disk
   * fewer times than these three would.
   */
  find(root: string, path: string, limit: number): Promise<Found | null>
  /**
   * The bytes of a file; null when there is none. `INVALID_INPUT` for what is outside the root, a folder, no regular file, or
   * larger than `FILE_BYTES`.
   */
  read(root: string, path: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * Writes a file in one step: others see the old bytes or the new ones. Folders that are missing are made, the file's mode is kept,
   * and a link's target is written. `expected` is the SHA-256 of the bytes that are replaced, null for a new file; when that is
   * not what is there it is a `CONFLICT` and nothing is written. `INVALID_INPUT` as for `read`.
   */
  write(root: string, path: string, bytes: Uint8Array, expected: string | null): Promise<void>
  /** The files whose path matches a pattern, the one changed last first. Files that git ignores and `.git` are left out. */
  glob(root: string, query: GlobQuery, signal: AbortSignal): Promise<{ paths: string[]; truncated: boolean }>
  /** Lines that a regular expression matches, by file. Binary files, files that git ignores and `.git` are left out. */
  grep(
    root: string,
    query: GrepQuery,
    signal: AbortSignal,
  ): Promise<{ lines: GrepLine[]; truncated: boolean }>
}

export type Found =
  | { type: 'folder'; path: string; names: string[]; total: number }
  | { type: 'file'; path: string; bytes: Uint8Array<ArrayBuffer> }

/** Bytes of the largest file that is read or written. */
export const FILE_BYTES = 10 * 1024 * 1024

export type GlobQuery = {
  pattern: string
  /** The folder that is searched. */
  path: string
  limit: number
}

export type GrepQuery = {
  pattern: string
  path: string
  /** Only files whose path matches. */
  glob: string | null
  /** Lines around each match. */
  context: number
  /** Only the first match of each file. */
  firstOnly: boolean
  /** Matching lines at most. */
  limit: number
}

export type GrepLine = {
  path: string
  /** From 1. */
  number: number
  text: string
  /** False for a line around a match. */
  isMatch: boolean
}
