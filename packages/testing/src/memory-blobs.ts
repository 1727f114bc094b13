import { AppError, createTakeOver, LIMITS } from '@palimpsest/core/domain'
import type { Blobs, Clock } from '@palimpsest/core/ports'
import { sha256 } from '../../core/src/domain/values/sha256.ts'

type Stored = { bytes: Uint8Array<ArrayBuffer>; at: number }

/** What memory blobs hold. Two of them on the same content are a host and the one started after it. */
export type MemoryBlobContent = { uploads: Map<string, Stored>; blobs: Map<string, Stored> }

const NOTHING = new Uint8Array()

/** Blobs in memory. */
export function createMemoryBlobs(
  { now }: Pick<Clock, 'now'>,
  { uploads, blobs }: MemoryBlobContent = { uploads: new Map(), blobs: new Map() },
): Blobs {
  const takeOver = createTakeOver()

  return {
    received: (uploadId) => Promise.resolve(uploads.get(uploadId)?.bytes.length ?? 0),
    append: (uploadId, data, { offset, limit }) =>
      takeOver(uploadId, data, async (chunks) => {
        const begun = uploads.get(uploadId)
        if (begun === undefined && uploads.size >= LIMITS.uploads)
          throw new AppError('RATE_LIMITED', `${LIMITS.uploads} uploads are unfinished already.`)
        let { bytes } = begun ?? { bytes: NOTHING }
        if (bytes.length !== offset)
          throw new AppError('CONFLICT', `This upload has ${bytes.length} bytes, and continues there.`)
        uploads.set(uploadId, { bytes, at: now() })
        for await (const chunk of chunks) {
          if (bytes.length + chunk.length > limit)
            throw new AppError('INVALID_INPUT', `A file has at most ${limit} bytes.`, { field: 'body' })
          bytes = joined([bytes, chunk])
          uploads.set(uploadId, { bytes, at: now() })
        }
        return bytes.length
      }),
    async *content(uploadId) {
      yield uploads.get(uploadId)?.bytes ?? NOTHING
    },
    async finish(uploadId) {
      const bytes = uploads.get(uploadId)?.bytes ?? NOTHING
      const hash = await sha256(bytes)
      blobs.set(hash, { bytes, at: now() })
      uploads.delete(uploadId)
      return { hash, size: bytes.length }
    },
    drop: (uploadId) => Promise.resolve(void uploads.delete(uploadId)),
    read(hash, range) {
      const bytes = blobs.get(hash)?.bytes
      if (bytes === undefined) return Promise.resolve(null)
      return Promise.resolve(only(bytes.slice(range?.start, range?.end)))
    },
    remove: (hash) => Promise.resolve(void blobs.delete(hash)),
    stored: (before) => Promise.resolve(olderThan(blobs, before)),
    dropUploads(before) {
      for (const uploadId of olderThan(uploads, before)) uploads.delete(uploadId)
      return Promise.resolve()
    },
  }
}

function olderThan(kept: Map<string, Stored>, before: number): string[] {
  return [...kept].filter(([, { at }]) => at <= before).map(([key]) => key)
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
