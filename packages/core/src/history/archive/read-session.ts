import type { BlobKeeper } from '../../blob/blob-service.ts'
import { AppError } from '../../domain/errors.ts'
import { sessionIdOfHash } from '../../domain/ids.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Clock, ImportLine, Store } from '../../ports/index.ts'
import { storeBlobs } from '../transfer/blob-lines.ts'
import { importLines } from '../transfer/import-lines.ts'
import type { NewHash } from './archive-format.ts'
import { hashing, textOf } from './bytes-of.ts'
import { createContentDigest } from './content-digest.ts'
import { openExport } from './write-archive.ts'

export type SessionPorts = {
  store: Pick<Store, 'history'>
  keeper: BlobKeeper
  clock: Clock
}

export type SessionEntry = {
  id: string
  hash: string
  content: AsyncIterable<Uint8Array>
  /** Milliseconds since the archive was made. */
  age: number
  onTitle(title: string): void
}

/** Ends an import before it writes anything. */
class SameContent extends Error {}

/**
 * Imports a session of an archive in one transaction; null when it is here already, under its id or as the copy that an
 * earlier import of the same entry made. Under an id with other content it becomes a copy. `INVALID_INPUT` when its bytes
 * do not have the hash, or the rows are not those of the session.
 */
export async function readSession(
  { store, keeper, clock }: SessionPorts,
  { id, hash, content, age, onTitle }: SessionEntry,
  newHash: NewHash,
): Promise<Session | null> {
  const copyId = sessionIdOfHash(hash)
  const isCopied = await isThere(store, copyId)
  const local = await digestOf(store, clock, id, newHash)
  const received = newHash()
  const rows = importLines(textOf(hashing(content, received)), clock)

  function checkLine({ type, data }: ImportLine): void {
    if (type !== 'session') return
    if (data['id'] !== id) throw invalid('It holds another session than its name says.')
    if (typeof data['title'] === 'string') onTitle(data['title'])
  }

  async function* checked(lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportLine> {
    const digest = createContentDigest(newHash)
    for await (const line of lines) {
      checkLine(line)
      digest.add(line)
      yield line
    }
    if (received.digest() !== hash) throw invalid('Its content does not have the SHA-256 in its name.')
    if (isCopied || digest.value() === local) throw new SameContent()
  }

  try {
    const lines = shelved(storeBlobs(rows, keeper, clock), age)
    return await store.history.importRows(checked(lines), { copyId })
  } catch (error) {
    if (error instanceof SameContent) return null
    throw error
  }
}

/** The time that a session in the bin has been in the archive does not count to the days after which it is deleted. */
async function* shelved(lines: AsyncIterable<ImportLine>, age: number): AsyncGenerator<ImportLine> {
  for await (const line of lines) {
    const { deleted_at: at } = line
    if (line.type !== 'session' || typeof at !== 'number') yield line
    else yield { ...line, deleted_at: at + age, data: { ...line.data, updated_at: at + age } }
  }
}

async function isThere(store: Pick<Store, 'history'>, id: string): Promise<boolean> {
  using source = await openExport(store, id)
  return source !== null
}

/** Null when there is no such session. */
async function digestOf(
  store: Pick<Store, 'history'>,
  clock: Pick<Clock, 'turn'>,
  id: string,
  newHash: NewHash,
): Promise<string | null> {
  using source = await openExport(store, id)
  if (source === null) return null
  const digest = createContentDigest(newHash)
  let read = 0
  for await (const line of source.rows()) {
    digest.add(line)
    if (++read % ROWS === 0) await clock.turn()
  }
  return digest.value()
}

/** Rows that are read at once, with other work of the host in between. */
const ROWS = 50

function invalid(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'data' })
}
