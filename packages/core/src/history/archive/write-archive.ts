import type { BlobKeeper } from '../../blob/blob-service.ts'
import { AppError } from '../../domain/errors.ts'
import type { BlobRow } from '../../domain/files/blob.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Clock, SessionExport, SessionLink, Store } from '../../ports/index.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveEntry,
  type ArchiveHead,
  blobName,
  HEAD,
  MANIFEST,
  type ManifestHead,
  type ManifestLine,
  type NewHash,
  SETTINGS,
  sessionName,
} from './archive-format.ts'
import { bytesOfRows, collect } from './bytes-of.ts'
import { parentsFirst } from './parents-first.ts'

export type WritePorts = {
  store: Pick<Store, 'history'>
  keeper: Pick<BlobKeeper, 'read'>
  clock: Pick<Clock, 'now' | 'turn'>
}

/**
 * The entries of an archive: what it is, the settings, each session behind the files that it is the first to name, and
 * the manifest. Parents come before their branches. Each session is as it is when its turn comes; one that is purged
 * before is left out. A file that cannot be read is named in the manifest. Each content is read before the next entry.
 */
export async function* writeArchive(
  { store, keeper, clock }: WritePorts,
  settings: Readonly<Record<string, unknown>>,
  newHash: NewHash,
): AsyncGenerator<ArchiveEntry> {
  const lines: ManifestLine[] = []
  const files = new Set<string>()
  const missing: string[] = []
  let sessions = 0

  function hashOf(bytes: Uint8Array): string {
    const hash = newHash()
    hash.update(bytes)
    return hash.digest()
  }

  function noted(name: string, bytes: Uint8Array): ArchiveEntry {
    lines.push({ name, bytes: bytes.length, sha256: hashOf(bytes) })
    return { name, size: bytes.length, content: only(bytes) }
  }

  /** Null, and noted as missing, when its bytes are gone or have another hash. */
  async function fileEntry({ hash, mediaType }: BlobRow): Promise<ArchiveEntry | null> {
    const content = await keeper.read(hash)
    const bytes = content === null ? null : await collect(content, LIMITS.blobBytes)
    if (bytes !== null && hashOf(bytes) === hash) return noted(blobName(mediaType, hash), bytes)
    missing.push(hash)
    return null
  }

  async function* filesOf(blobs: readonly BlobRow[]): AsyncGenerator<ArchiveEntry> {
    for (const blob of blobs.filter(({ hash }) => !files.has(hash))) {
      files.add(blob.hash)
      const entry = await fileEntry(blob)
      if (entry !== null) yield entry
    }
  }

  async function sessionEntry(id: string, source: SessionExport): Promise<ArchiveEntry> {
    const hash = newHash()
    let size = 0
    for await (const piece of bytesOfRows(source.rows())) {
      hash.update(piece)
      size += piece.length
      await clock.turn()
    }
    const sha256 = hash.digest()
    const name = sessionName(id, sha256)
    lines.push({ name, bytes: size, sha256 })
    sessions += 1
    return { name, size, content: bytesOfRows(source.rows()) }
  }

  const head: ArchiveHead = { format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, createdAt: clock.now() }
  yield noted(HEAD, encodeJson(head))
  yield noted(SETTINGS, encodeJson(settings))
  for (const id of parentsFirst(await allLinks(store))) {
    using source = await openExport(store, id)
    if (source === null) continue
    yield* filesOf(source.blobs)
    yield await sessionEntry(id, source)
  }
  const manifest: ManifestHead = {
    version: ARCHIVE_VERSION,
    sessions,
    files: files.size - missing.length,
    entries: lines.length,
    bytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
    missing,
  }
  yield manifestEntry(manifest, lines)
}

/** Null when there is no such session. */
export async function openExport(
  store: Pick<Store, 'history'>,
  sessionId: string,
): Promise<SessionExport | null> {
  try {
    return await store.history.openExport(sessionId)
  } catch (error) {
    if (error instanceof AppError && error.code === 'SESSION_NOT_FOUND') return null
    throw error
  }
}

async function allLinks(store: Pick<Store, 'history'>): Promise<SessionLink[]> {
  const all: SessionLink[] = []
  for (;;) {
    const page = await store.history.links(all.at(-1)?.id ?? null)
    if (page.length === 0) return all
    all.push(...page)
  }
}

/** The manifest, whose lines are encoded one by one. */
function manifestEntry(head: ManifestHead, lines: readonly ManifestLine[]): ArchiveEntry {
  const all = [head, ...lines]
  const encoder = new TextEncoder()
  const encode = (value: object) => encoder.encode(`${JSON.stringify(value)}\n`)
  const size = all.reduce((sum, value) => sum + encode(value).length, 0)
  async function* content() {
    for (const value of all) yield await Promise.resolve(encode(value))
  }
  return { name: MANIFEST, size, content: content() }
}

function encodeJson(value: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
