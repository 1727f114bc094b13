import { mediaTypeOf } from '../../domain/files/media-type.ts'
import { CLIENT_ID_PATTERN } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'

/** The first entry says what the archive is, the last one lists all others. */
export const HEAD = 'palimpsest.json'
export const SETTINGS = 'settings.json'
export const MANIFEST = 'manifest.jsonl'

export const ARCHIVE_FORMAT = 'palimpsest-archive'
export const ARCHIVE_VERSION = 1

/** Bounds of an archive that is imported. */
export const ARCHIVE_LIMITS = {
  entries: 500_000,
  /** Bytes of all entries together. */
  bytes: 64 * 1024 ** 3,
  /** Bytes of one session: as many as an import of it alone may have. */
  sessionBytes: 256 * 1024 ** 2,
  blobBytes: LIMITS.blobBytes,
  /** Bytes of the first entry, and of the settings. */
  smallBytes: 1024 ** 2,
  manifestBytes: 512 * 1024 ** 2,
  /** Problems that a report names; further ones are counted. */
  problems: 100,
} as const

/** A file of an archive; its content is read whole, and once. */
export type ArchiveEntry = { name: string; size: number; content: AsyncIterable<Uint8Array> }

/** SHA-256 of what it is given piece by piece, in lower-case hexadecimal. */
export interface RunningHash {
  update(piece: Uint8Array | string): unknown
  digest(): string
}

export type NewHash = () => RunningHash

export type EntryName =
  | { type: 'head' | 'settings' | 'manifest' }
  | { type: 'blob'; mediaType: string; hash: string }
  | { type: 'session'; id: string; hash: string }

export function sessionName(id: string, hash: string): string {
  return `sessions/${id}/${hash}.jsonl`
}

export function blobName(mediaType: string, hash: string): string {
  return `blobs/${mediaType}/${hash}`
}

const HASH = /^[0-9a-f]{64}$/
const SMALL = new Map<string, 'head' | 'settings' | 'manifest'>([
  [HEAD, 'head'],
  [SETTINGS, 'settings'],
  [MANIFEST, 'manifest'],
])

/** What an entry's name means; null for a name that no archive has. No name is ever used as a path. */
export function parseEntryName(name: string): EntryName | null {
  const small = SMALL.get(name)
  if (small !== undefined) return { type: small }
  const [folder, first = '', second = '', third, ...rest] = name.split('/')
  if (rest.length > 0) return null
  if (folder === 'sessions') {
    const hash = second.endsWith('.jsonl') ? second.slice(0, -'.jsonl'.length) : ''
    if (third !== undefined || !CLIENT_ID_PATTERN.test(first) || !HASH.test(hash)) return null
    return { type: 'session', id: first, hash }
  }
  const mediaType = `${first}/${second}`
  if (folder !== 'blobs' || third === undefined || !HASH.test(third) || mediaTypeOf(mediaType) !== mediaType)
    return null
  return { type: 'blob', mediaType, hash: third }
}

/** Bytes that an entry may have. */
export function mostBytes({ type }: EntryName): number {
  if (type === 'session') return ARCHIVE_LIMITS.sessionBytes
  if (type === 'blob') return ARCHIVE_LIMITS.blobBytes
  return type === 'manifest' ? ARCHIVE_LIMITS.manifestBytes : ARCHIVE_LIMITS.smallBytes
}

/** The first entry. `createdAt` is in epoch milliseconds. */
export type ArchiveHead = { format: typeof ARCHIVE_FORMAT; version: number; createdAt: number }

/** The first line of the manifest; a line for each entry before it follows. `missing` names files that could not be read. */
export type ManifestHead = {
  version: number
  sessions: number
  files: number
  entries: number
  bytes: number
  missing: string[]
}

export type ManifestLine = { name: string; bytes: number; sha256: string }
