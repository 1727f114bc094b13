import type { FileSpan } from '../domain/workspace/file-span.ts'

/**
 * States of a workspace's files, kept outside of it and of its version control, each under an id. Paths are relative to
 * the root. Only `restore` touches files. Every method fails for a state that this layer does not have.
 */
export interface Snapshots {
  /** Whether the files of a root (a real path) are kept. Where they are not, nothing else is called. */
  covers(root: string): Promise<boolean>
  /** Captures the current files; null where that is not possible. */
  capture(root: string): Promise<string | null>
  /** For each span, the paths that differ between its states. */
  changed(root: string, spans: readonly FileSpan[]): Promise<string[][]>
  /** A state like `base`, but at these paths like the source that names them. */
  combine(root: string, base: string, sources: readonly SnapshotSource[]): Promise<string>
  /**
   * Takes the files from the state that they are in to another one. What `from` does not hold could not be put back, and
   * is left alone.
   */
  restore(root: string, from: string, to: string): Promise<void>
  /** Removes all states of a root, which nothing names any more; the root itself may be gone. */
  forget(root: string): Promise<void>
}

export type SnapshotSource = { state: string; paths: readonly string[] }
