import type { BlobRow, NewBlob } from '../domain/files/blob.ts'

/** Bytes `start` to `end`, without `end`. */
export type ByteRange = { start: number; end: number }

/**
 * Keeps bytes under their SHA-256: written once, never changed. Bytes arrive in an upload, which may take several
 * attempts, and are found by their hash once it is finished. Failures that no input caused are `STORE_ERROR`.
 */
export interface Blobs {
  /** The bytes of an upload that have arrived; 0 when it has not begun. */
  received(uploadId: string): Promise<number>
  /**
   * Appends what `data` yields to an upload and returns how many bytes it has then. What has arrived stays when `data`
   * fails. A later append to the same upload ends an earlier one. `CONFLICT` when the upload does not have exactly
   * `offset` bytes, `INVALID_INPUT` when it would have more than `limit`, `RATE_LIMITED` when `LIMITS.uploads` others are
   * unfinished.
   */
  append(
    uploadId: string,
    data: AsyncIterable<Uint8Array>,
    at: { offset: number; limit: number },
  ): Promise<number>
  /** The bytes of an upload, in order. */
  content(uploadId: string): AsyncIterable<Uint8Array>
  /** Stores the bytes of an upload under their hash and ends the upload. They are durable once this resolves. */
  finish(uploadId: string): Promise<{ hash: string; size: number }>
  /** Removes an upload. */
  drop(uploadId: string): Promise<void>
  /** The bytes of a hash, or a range of them that lies inside; null when there are none. */
  read(hash: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>
  remove(hash: string): Promise<void>
  /** The hashes whose bytes were finished at `before` or earlier. */
  stored(before: number): Promise<string[]>
  /** Removes the uploads that got their last byte at `before` or earlier. */
  dropUploads(before: number): Promise<void>
}

/** The rows of blobs. A message names the blobs of its parts in the write that stores the parts. */
export interface BlobStore {
  /** Adds a row, or answers the one of this hash. It is pending from `at` on. `RATE_LIMITED` beyond `LIMITS.pendingBlobBytes`. */
  add(blob: NewBlob, at: number): Promise<BlobRow>
  get(hash: string): Promise<BlobRow | null>
  /** Those of these hashes that have a row. */
  known(hashes: string[]): Promise<string[]>
  /** The blobs that the messages of a session name. */
  ofSession(sessionId: string): Promise<BlobRow[]>
  /**
   * Deletes up to 1,000 rows that no message names and that are pending since `before` or earlier, and returns their hashes.
   * Rows of that age that a message names are no longer pending.
   */
  collect(before: number): Promise<string[]>
}
