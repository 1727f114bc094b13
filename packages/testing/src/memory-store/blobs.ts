import {
  AppError,
  assertPendingCapacity,
  type BlobRow,
  blobsIn,
  type ChatPart,
} from '@palimpsest/core/domain'
import type { BlobStore } from '@palimpsest/core/ports'
import { atomically, type MemoryTables, messagesOf } from './tables.ts'

const COLLECTED_AT_ONCE = 1_000

export function createMemoryBlobRows(tables: MemoryTables): BlobStore {
  const { blobs } = tables
  return {
    add: (blob, at) =>
      atomically(() => {
        const known = blobs.get(blob.hash)
        if ((known?.pendingSince ?? null) === null) assertPendingCapacity(pendingBytes(tables), blob.size)
        const row: BlobRow = { createdAt: at, ...(known ?? blob), pendingSince: at }
        blobs.set(blob.hash, row)
        return row
      }),
    get: (hash) => atomically(() => blobs.get(hash) ?? null),
    known: (hashes) => atomically(() => hashes.filter((hash) => blobs.has(hash))),
    ofSession: (sessionId) => atomically(() => blobRowsOf(tables, sessionId)),
    collect: (before) =>
      atomically(() => {
        const named = namedHashes(tables)
        const due = [...blobs.values()].filter(
          ({ pendingSince }) => pendingSince !== null && pendingSince <= before,
        )
        for (const row of due) if (named.has(row.hash)) row.pendingSince = null
        const collected = due
          .filter(({ hash }) => !named.has(hash))
          .slice(0, COLLECTED_AT_ONCE)
          .map(({ hash }) => hash)
        for (const hash of collected) blobs.delete(hash)
        return collected
      }),
  }
}

/** `INVALID_INPUT` when these parts name a blob that has no row. */
export function assertBlobs({ blobs }: MemoryTables, parts: readonly ChatPart[]): void {
  if (parts.flatMap(blobsIn).every((hash) => blobs.has(hash))) return
  const message = 'A file of this message is no longer stored. Upload it again.'
  throw new AppError('INVALID_INPUT', message, { field: 'message.parts' })
}

/** Notes which blobs these parts name. */
export function nameBlobs({ blobs }: MemoryTables, parts: readonly ChatPart[]): void {
  for (const hash of parts.flatMap(blobsIn)) {
    const row = blobs.get(hash)
    if (row !== undefined) row.pendingSince = null
  }
}

/** The blobs that the messages of a session name. */
export function blobRowsOf(tables: MemoryTables, sessionId: string): BlobRow[] {
  return [...hashesOf(tables, sessionId)]
    .flatMap((hash) => tables.blobs.get(hash) ?? [])
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** The hashes that the messages of a session name. */
export function hashesOf(tables: MemoryTables, sessionId: string): Set<string> {
  const parts = messagesOf(tables, sessionId).flatMap((message) => message.parts)
  return new Set(parts.flatMap(({ data }) => blobsIn(data)))
}

/** Lets those of these blobs that no message names any more be pending from `at` on. */
export function setPending(tables: MemoryTables, hashes: Iterable<string>, at: number): void {
  for (const row of unnamed(tables, hashes)) row.pendingSince = at
}

/** Deletes those of these blobs that no message names and that no upload keeps. */
export function deleteUnnamed(tables: MemoryTables, hashes: Iterable<string>): string[] {
  const deleted = unnamed(tables, hashes).map(({ hash }) => hash)
  for (const hash of deleted) tables.blobs.delete(hash)
  return deleted
}

function unnamed(tables: MemoryTables, hashes: Iterable<string>): BlobRow[] {
  const named = namedHashes(tables)
  return [...new Set(hashes)].flatMap((hash) => {
    const row = tables.blobs.get(hash)
    return row === undefined || row.pendingSince !== null || named.has(hash) ? [] : [row]
  })
}

function namedHashes({ messages }: MemoryTables): Set<string> {
  const parts = [...messages.values()].flatMap((message) => message.parts)
  return new Set(parts.flatMap(({ data }) => blobsIn(data)))
}

function pendingBytes({ blobs }: MemoryTables): number {
  return [...blobs.values()].reduce(
    (sum, { size, pendingSince }) => sum + (pendingSince === null ? 0 : size),
    0,
  )
}
