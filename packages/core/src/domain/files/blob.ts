import { LIMITS } from '../limits.ts'
import { type ChatPart, isOwnCall } from '../message/message.ts'
import { decodeBase64 } from '../values/base64.ts'
import { keptOutside, outputFiles } from './output-files.ts'

/** A stored file: its bytes are kept under their SHA-256. */
export type BlobRow = {
  /** SHA-256 of the bytes in lower-case hexadecimal. */
  hash: string
  /** Bytes. */
  size: number
  /** The media type that its first upload named. */
  mediaType: string
  owner: string
  createdAt: number
  /** When it was last uploaded, until a message names it; null from then on. */
  pendingSince: number | null
}

export type NewBlob = Pick<BlobRow, 'hash' | 'size' | 'mediaType' | 'owner'>

/** The owner of every row while there are no users. */
export const LOCAL_OWNER = 'usr_local'

/** Milliseconds that a blob is kept without a message that names it. */
export const BLOB_PENDING_MS = 24 * 60 * 60 * 1000

/** The path of uploads; the path of a blob has its hash behind it. */
export const BLOBS_PATH = '/api/v1/blobs'

const BLOB_URL = /^\/api\/v1\/blobs\/([0-9a-f]{64})$/

export type FilePart = Extract<ChatPart, { type: 'file' }>

/** The URL by which a part names a blob. */
export function blobUrl(hash: string): string {
  return `${BLOBS_PATH}/${hash}`
}

/** The hash that such a URL names; null for any other URL. */
export function blobHash(url: string): string | null {
  return BLOB_URL.exec(url)?.[1] ?? null
}

/** A file part that names a blob. */
export function blobPart(part: FilePart, { hash, size }: Pick<BlobRow, 'hash' | 'size'>): FilePart {
  const { type, mediaType, filename } = part
  const name = filename === undefined ? {} : { filename }
  return { type, mediaType, ...name, url: blobUrl(hash), providerMetadata: { palimpsest: { bytes: size } } }
}

/** Bytes of a file: of its data URL, or of the blob that it names; null when the part does not say. */
export function fileBytes({ url, providerMetadata }: FilePart): number | null {
  const bytes = providerMetadata?.['palimpsest']?.['bytes']
  if (typeof bytes === 'number') return bytes
  return url.startsWith('data:') ? dataUrlBytes(url) : null
}

/** Bytes of a base64 data URL. */
function dataUrlBytes(url: string): number {
  const padding = url.endsWith('==') ? 2 : url.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4) - padding)
}

/** The bytes of a base64 data URL; null when it is none. */
export function dataUrlContent(url: string): Uint8Array<ArrayBuffer> | null {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || !url.slice(0, comma).endsWith(';base64')) return null
  try {
    return decodeBase64(url.slice(comma + 1))
  } catch {
    return null
  }
}

/** Whether the bytes of a file are stored in its part. */
export function isInline({ url }: FilePart): boolean {
  return url.startsWith('data:')
}

/** Whether a file is stored as a blob when it is sent. */
export function becomesBlob(part: FilePart): boolean {
  return isInline(part) && dataUrlBytes(part.url) > LIMITS.inlineFileBytes
}

/** The hashes of the blobs that a part names: a file, the files of a steering message, or those of a call's result and what of it is kept outside of its row. */
export function blobsIn(part: ChatPart): string[] {
  if (part.type === 'steering-message') return part.parts.flatMap(blobsIn)
  const files =
    part.type === 'file'
      ? [part]
      : isOwnCall(part)
        ? [...outputFiles(part.output), ...keptOutside(part.output)]
        : []
  return files.flatMap(({ url }) => blobHash(url) ?? [])
}
