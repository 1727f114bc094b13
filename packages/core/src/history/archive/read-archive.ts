import { AppError } from '../../domain/errors.ts'
import type { ArchiveReport } from '../../domain/export/archive-report.ts'
import type { SessionEvents } from '../../ports/index.ts'
import {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type EntryName,
  mostBytes,
  type NewHash,
  parseEntryName,
} from './archive-format.ts'
import { createReport } from './archive-report.ts'
import { collect, hashing } from './bytes-of.ts'
import { readHead } from './read-head.ts'
import { readManifest } from './read-manifest.ts'
import { readSession, type SessionPorts } from './read-session.ts'

export type ReadPorts = SessionPorts & { events: Pick<SessionEvents, 'publish'> }

/** What to do with settings that are JSON as the manifest says; null leaves them. */
export type TakeSettings = ((settings: unknown) => Promise<void>) | null

/** Fails where the archive itself cannot be read further, as the bytes of its entries then do. */
export class BrokenArchive extends AppError {
  constructor(message: string, cause?: unknown) {
    super('INVALID_INPUT', message, { field: 'body', ...(cause !== undefined && { cause }) })
  }
}

/**
 * Imports an archive entry by entry: each session is imported whole or not at all, and what fails is reported and the
 * rest goes on. An archive that breaks off is reported as not complete. `INVALID_INPUT` when the first entry is not that
 * of an archive.
 */
export async function readArchive(
  ports: ReadPorts,
  entries: AsyncIterable<ArchiveEntry>,
  takeSettings: TakeSettings,
  newHash: NewHash,
): Promise<ArchiveReport> {
  const { keeper, clock, events } = ports
  const { report, problem } = createReport()
  const hashes = new Map<string, string>()
  let age: number | null = null
  let settings: Uint8Array | null = null
  let bytes = 0

  async function takeBlob(hash: string, mediaType: string, content: ArchiveEntry['content']): Promise<void> {
    const known = await keeper.get(hash)
    if (known !== null && known.pendingSince === null) {
      report.files.skipped += 1
      return
    }
    const kept = await keeper.keep(content, mediaType, hash)
    if (kept === null) throw refused('Its content does not have the SHA-256 in its name.')
    report.files.imported += 1
  }

  async function takeSession(name: string, id: string, hash: string, content: ArchiveEntry['content']) {
    let title: string | null = null
    const onTitle = (read: string) => {
      title = read.slice(0, TITLE_CHARACTERS)
    }
    try {
      const session = await readSession(ports, { id, hash, content, age: age ?? 0, onTitle }, newHash)
      if (session === null) report.sessions.skipped += 1
      else {
        report.sessions[session.id === id ? 'imported' : 'copied'] += 1
        const sessionId = session.id
        if (session.deletedAt === null) events.publish({ type: 'session-created', sessionId, session })
        else events.publish({ type: 'session-deleted', sessionId, session })
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      report.sessions.failed += 1
      problem(name, error.message, title)
    }
  }

  async function takeManifest(content: ArchiveEntry['content']): Promise<void> {
    const { entries: count, lines } = await readManifest(content, clock)
    let [named, wrong] = [0, 0]
    for await (const { name, sha256 } of lines) {
      named += 1
      const hash = hashes.get(name)
      if (hash === sha256) continue
      wrong += 1
      problem(
        name,
        hash === undefined ? 'It is missing from the archive.' : 'It is not as the manifest says.',
      )
      if (name === 'settings.json') settings = null
    }
    report.complete = wrong === 0 && named === count && hashes.size === named
    if (settings !== null) await takeKnownSettings(settings)
  }

  async function takeKnownSettings(stored: Uint8Array): Promise<void> {
    if (takeSettings === null) {
      report.settings = 'not-asked'
      return
    }
    try {
      await takeSettings(JSON.parse(new TextDecoder().decode(stored)))
      report.settings = 'imported'
    } catch (error) {
      problem('settings.json', error instanceof AppError ? error.message : 'It is not JSON.')
    }
  }

  async function take(what: EntryName, { name, content }: ArchiveEntry): Promise<void> {
    switch (what.type) {
      case 'head':
        throw refused('An archive has this entry once.')
      case 'settings':
        settings = await collect(content, ARCHIVE_LIMITS.smallBytes)
        return
      case 'manifest':
        return takeManifest(content)
      case 'session':
        return takeSession(name, what.id, what.hash, content)
      case 'blob':
        try {
          return await takeBlob(what.hash, what.mediaType, content)
        } catch (error) {
          report.files.failed += 1
          throw error
        }
    }
  }

  /** Takes one entry, and reads what its taker has left of it. */
  async function takeEntry(entry: ArchiveEntry): Promise<void> {
    const what = parseEntryName(entry.name)
    const hash = newHash()
    const rest = restOf(hashing(entry.content, hash))
    if (what === null) throw refused('No archive has an entry of this name.')
    if (hashes.has(entry.name)) throw refused('An archive has this entry once.')
    if (entry.size > mostBytes(what)) throw refused(`It has more than ${mostBytes(what)} bytes.`)
    try {
      await take(what, { ...entry, content: rest })
    } finally {
      await drain(rest)
      if (what.type !== 'manifest') hashes.set(entry.name, hash.digest())
    }
  }

  try {
    let count = 0
    for await (const entry of entries) {
      bytes += entry.size
      count += 1
      if (count > ARCHIVE_LIMITS.entries || bytes > ARCHIVE_LIMITS.bytes)
        throw new BrokenArchive('The archive is larger than an import takes.')
      if (age === null) {
        const hash = newHash()
        const head = await readHead(entry, hashing(entry.content, hash))
        age = Math.max(0, clock.now() - head.createdAt)
        hashes.set(entry.name, hash.digest())
        continue
      }
      await takeEntry(entry).catch((error: unknown) => {
        if (!(error instanceof AppError) || error instanceof BrokenArchive) throw error
        problem(entry.name, error.message)
      })
      await drain(restOf(entry.content))
    }
  } catch (error) {
    if (!(error instanceof BrokenArchive) || age === null) throw error
    problem('', error.message)
  }
  if (age === null) throw new AppError('INVALID_INPUT', 'This archive is empty.', { field: 'body' })
  return report
}

const TITLE_CHARACTERS = 200

/** The pieces that are still unread; a reader that stops early leaves the rest for the next one. */
function restOf(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]()
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) }
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content) {
    // What is not used has been hashed.
  }
}

function refused(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'body' })
}
