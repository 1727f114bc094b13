import { assertPendingCapacity, type BlobRow } from '@palimpsest/core/domain'
import type { BlobStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import {
  blobByHash,
  blobsOfSession,
  deletePending,
  endPending,
  insertBlob,
  knownHashes,
  pendingBytes,
} from '../sql/blob-rows.ts'

const COLLECTED_AT_ONCE = 1_000

export function createBlobStore(database: Database): BlobStore {
  return {
    add: (blob, at) =>
      database.write(async (queries) => {
        const known = await blobByHash(queries, blob.hash)
        if (known?.pendingSince === undefined || known.pendingSince === null)
          assertPendingCapacity(await pendingBytes(queries), blob.size)
        const row: BlobRow = { createdAt: at, ...(known ?? blob), pendingSince: at }
        await insertBlob(queries, row)
        return row
      }),
    get: (hash) => database.read((queries) => blobByHash(queries, hash)),
    known: (hashes) => database.read((queries) => knownHashes(queries, hashes)),
    ofSession: (sessionId) => database.read((queries) => blobsOfSession(queries, sessionId)),
    collect: (before) =>
      database.write(async (queries) => {
        await endPending(queries, before)
        return await deletePending(queries, before, COLLECTED_AT_ONCE)
      }),
  }
}
