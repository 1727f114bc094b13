import type { BlobKeeper } from '../../blob/blob-service.ts'
import { AppError } from '../../domain/errors.ts'
import { Flaw } from '../../domain/export/row-json.ts'
import type { BlobRow } from '../../domain/files/blob.ts'
import { LIMITS } from '../../domain/limits.ts'
import { fromBase64, toBase64 } from '../../domain/values/base64.ts'
import type { Clock, ExportLine, ImportLine } from '../../ports/index.ts'

/** A file in an export, behind the rows. */
export type BlobLine = {
  type: 'blob'
  data: { hash: string; size: number; media_type: string; base64: string }
}

/** What a line of an import may be. */
export type FileLine = ImportLine | { type: 'blob'; data: Record<string, unknown>; number: number }

/** The rows of an export, then these files; the session's row says how many there are. */
export async function* withBlobs(
  lines: AsyncIterable<ExportLine>,
  blobs: readonly BlobRow[],
  keeper: BlobKeeper,
): AsyncGenerator<ExportLine | BlobLine> {
  for await (const line of lines)
    yield line.type === 'session' && blobs.length > 0 ? { ...line, blobs: blobs.length } : line
  for (const { hash, size, mediaType } of blobs) {
    const content = await keeper.read(hash)
    const encoded = content === null ? null : await toBase64(content, LIMITS.blobBytes)
    if (encoded === null) throw new AppError('STORE_ERROR', 'A file of this session could not be read.')
    yield { type: 'blob', data: { hash, size, media_type: mediaType, base64: encoded.base64 } }
  }
}

/** Stores the files among the lines and yields the rows. `INVALID_INPUT` that names the line of a file that is damaged. */
export async function* storeBlobs(
  lines: AsyncIterable<FileLine>,
  keeper: BlobKeeper,
  clock: Pick<Clock, 'turn'>,
): AsyncGenerator<ImportLine> {
  let [announced, stored] = [0, 0]
  for await (const line of lines) {
    if (line.type !== 'blob') {
      if (line.type === 'session') announced = countOf(line)
      yield line
      continue
    }
    try {
      await storeBlob(line.data, keeper, clock)
      stored += 1
    } catch (error) {
      if (!(error instanceof Flaw)) throw error
      throw refused(`Line ${line.number} cannot be imported: ${error.message}.`)
    }
  }
  if (stored < announced)
    throw refused(`This export is not whole: it has ${stored} files, and had ${announced}.`)
}

function countOf(line: object): number {
  const count = 'blobs' in line ? line.blobs : 0
  return typeof count === 'number' ? count : 0
}

async function storeBlob(
  { hash, media_type: mediaType, base64 }: Record<string, unknown>,
  keeper: BlobKeeper,
  clock: Pick<Clock, 'turn'>,
): Promise<void> {
  if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new Flaw('base64 of a blob must be base64')
  if (base64.length > MOST_CHARACTERS) throw new Flaw(`a blob has more than ${LIMITS.blobBytes} bytes`)
  if (typeof mediaType !== 'string') throw new Flaw('media_type of a blob must be a text')
  const kept = await keeper.keep(inTurns(fromBase64(base64), clock), mediaType, String(hash))
  if (kept === null) throw new Flaw('hash of a blob is not that of its content')
}

const MOST_CHARACTERS = Math.ceil(LIMITS.blobBytes / 3) * 4

async function* inTurns(
  pieces: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'turn'>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    await clock.turn()
  }
}

function refused(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'data' })
}
