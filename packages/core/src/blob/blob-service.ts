import pLimit from 'p-limit'
import { AppError } from '../domain/errors.ts'
import {
  BLOB_PENDING_MS,
  type BlobRow,
  blobPart,
  dataUrlContent,
  type FilePart,
  LOCAL_OWNER,
} from '../domain/files/blob.ts'
import { contentProblem, SIGNATURE_BYTES } from '../domain/files/content-check.ts'
import { mediaTypeOf } from '../domain/files/media-type.ts'
import { CLIENT_ID_PATTERN, createId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Blobs, ByteRange, Clock, Store } from '../ports/index.ts'

/** A request of an upload: all of a file, or the rest of one. */
export type Upload = {
  uploadId: string
  mediaType: string
  /** The place of its first byte. */
  offset: number
  /** Bytes of the whole file; null when it ends with this request. */
  total: number | null
  data: AsyncIterable<Uint8Array>
}

/** Bytes that have arrived, and the blob once that is all of them. */
export type UploadState = { received: number; blob: BlobRow | null }

/** Stores files and finds them by their hash. */
export interface BlobService {
  /** Bytes of an upload that have arrived. */
  received(uploadId: string): Promise<number>
  /**
   * Receives bytes of an upload. Once all have arrived, their type is checked against them: `INVALID_INPUT` of field
   * `content-type` when they are of another one. Other failures are those of `Blobs.append` and `BlobStore.add`.
   */
  upload(upload: Upload): Promise<UploadState>
  get(hash: string): Promise<BlobRow | null>
  /** The content of a blob, or a range that lies inside it; null when there is none. */
  read(hash: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>
}

/** What the core itself does with files. */
export interface BlobKeeper extends BlobService {
  /** Stores bytes; a type that is not that of the content is not kept. Null when `hash` is given and is another one. */
  keep(data: AsyncIterable<Uint8Array>, mediaType: string, hash?: string): Promise<BlobRow | null>
  /** Stores the bytes of a file, and returns the part that names them. */
  keepFile(bytes: Uint8Array, file: Pick<FilePart, 'mediaType' | 'filename'>): Promise<FilePart>
  /** The part with its bytes in a blob. A part whose URL holds no bytes stays as it is. */
  keepInline(part: FilePart): Promise<FilePart>
  /** Why the content of a blob is not of a type; null when it may be. */
  problemWith(blob: BlobRow, mediaType: string): Promise<string | null>
  /** Removes the bytes of blobs whose rows are deleted. */
  forget(hashes: readonly string[]): Promise<void>
  /** Removes what no message has named for a day, and uploads that ended a day ago. */
  sweep(): Promise<void>
}

type Ports = { blobs: Blobs; store: Pick<Store, 'blobs'>; clock: Pick<Clock, 'now'> }

/** `strict` refuses a type that is not that of the content. Messages and imports with such a type were always accepted. */
type Adding = { strict: boolean; hash?: string }

const UNKNOWN_TYPE = 'application/octet-stream'

export function createBlobKeeper({ blobs, store, clock }: Ports): BlobKeeper {
  // Rows and bytes change together: bytes are never removed while a row for them is being added.
  const alone = pLimit(1)

  function add(uploadId: string, named: string, adding: Adding): Promise<BlobRow | null> {
    return alone(async () => {
      const mediaType = await checkedType(uploadId, named, adding.strict)
      const { hash, size } = await blobs.finish(uploadId)
      if (adding.hash !== undefined && adding.hash !== hash) {
        await removeUnknown([hash])
        return null
      }
      const row = { hash, size, mediaType, owner: LOCAL_OWNER }
      try {
        return await store.blobs.add(row, clock.now())
      } catch (error) {
        await removeUnknown([hash])
        throw error
      }
    })
  }

  async function removeUnknown(hashes: readonly string[]): Promise<void> {
    const known = new Set(await store.blobs.known([...hashes]))
    let failure: { error: unknown } | null = null
    for (const hash of hashes) {
      if (known.has(hash)) continue
      // Bytes that cannot be removed are found by the next sweep, and stop no other.
      await blobs.remove(hash).catch((error: unknown) => {
        failure ??= { error }
      })
    }
    if (failure !== null) throw (failure as { error: unknown }).error
  }

  async function checkedType(uploadId: string, named: string, strict: boolean): Promise<string> {
    const problem = contentProblem(named, await inspect(blobs.content(uploadId)))
    if (problem === null) return named
    if (!strict) return UNKNOWN_TYPE
    await blobs.drop(uploadId)
    throw new AppError('INVALID_INPUT', problem, { field: 'content-type' })
  }

  const keeper: BlobKeeper = {
    received(uploadId) {
      checkUploadId(uploadId)
      return blobs.received(uploadId)
    },
    async upload({ uploadId, mediaType, offset, total, data }) {
      checkUploadId(uploadId)
      const type = mediaTypeOf(mediaType)
      if (type === null) throw invalid('content-type', 'An upload names a media type such as image/png.')
      if (total !== null && total > LIMITS.blobBytes) throw tooLarge()
      const limit = total ?? LIMITS.blobBytes
      const received = await blobs.append(uploadId, data, { offset, limit })
      if (total !== null && received < total) return { received, blob: null }
      return { received, blob: await add(uploadId, type, { strict: true }) }
    },
    get: (hash) => store.blobs.get(hash),
    read: (hash, range) => blobs.read(hash, range),

    async keep(data, mediaType, hash) {
      const uploadId = createId('prt')
      await blobs.append(uploadId, data, { offset: 0, limit: LIMITS.blobBytes })
      const type = mediaTypeOf(mediaType) ?? UNKNOWN_TYPE
      return await add(uploadId, type, { strict: false, ...(hash !== undefined && { hash }) })
    },
    async keepFile(bytes, file) {
      const blob = await keeper.keep(only(bytes), file.mediaType)
      // Null is for bytes that were to have another hash.
      if (blob === null) throw new AppError('STORE_ERROR', 'The file could not be stored.')
      return blobPart({ type: 'file', url: '', ...file }, blob)
    },
    async keepInline(part) {
      const bytes = dataUrlContent(part.url)
      const blob = bytes === null ? null : await keeper.keep(only(bytes), part.mediaType)
      return blob === null ? part : blobPart(part, blob)
    },
    async problemWith({ hash, mediaType }, named) {
      const type = mediaTypeOf(named)
      if (type === mediaType) return null
      const content = await blobs.read(hash)
      if (type === null || content === null) return `This file is not ${named}.`
      return contentProblem(type, await inspect(content))
    },
    forget: (hashes) => alone(() => removeUnknown(hashes)),
    async sweep() {
      const before = clock.now() - BLOB_PENDING_MS
      for (;;) {
        const collected = await store.blobs.collect(before)
        if (collected.length === 0) break
        // Bytes that are left are those without a row below.
        await keeper.forget(collected).catch(() => undefined)
      }
      await blobs.dropUploads(before)
      // Bytes without a row are also those of a host that ended between the two writes.
      await keeper.forget(await blobs.stored(before))
    },
  }
  return keeper
}

/** The first bytes of a file, and whether it may be text. */
async function inspect(content: AsyncIterable<Uint8Array>): Promise<{ head: Uint8Array; isText: boolean }> {
  let head = new Uint8Array()
  let isText = true
  for await (const chunk of content) {
    if (head.length < SIGNATURE_BYTES) head = Uint8Array.from([...head, ...chunk.slice(0, SIGNATURE_BYTES)])
    if (isText) isText = !chunk.includes(0)
  }
  return { head, isText }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function checkUploadId(uploadId: string): void {
  if (!CLIENT_ID_PATTERN.test(uploadId))
    throw invalid('upload-id', 'An id has 1 to 128 letters, digits, "_" or "-".')
}

function tooLarge(): AppError {
  return invalid('body', `A file has at most ${LIMITS.blobBytes} bytes.`)
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field })
}
