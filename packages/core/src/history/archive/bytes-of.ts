import { AppError } from '../../domain/errors.ts'
import type { ExportLine } from '../../ports/index.ts'
import type { RunningHash } from './archive-format.ts'

/** Characters that are encoded at once. */
const PIECE = 65_536

/** The rows as JSON lines in UTF-8. */
export async function* bytesOfRows(rows: AsyncIterable<ExportLine>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`
    if (text.length < PIECE) continue
    yield encoder.encode(text)
    text = ''
  }
  if (text !== '') yield encoder.encode(text)
}

/** The same bytes, which go into a hash on their way. */
export async function* hashing(
  content: AsyncIterable<Uint8Array>,
  hash: RunningHash,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}

/** All bytes in one piece; null when there are more than `most`. */
export async function collect(content: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of content) {
    length += piece.length
    if (length > most) return null
    pieces.push(piece)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The text of bytes in UTF-8. `INVALID_INPUT` for others. */
export async function* textOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of content) yield decode(() => decoder.decode(piece, { stream: true }))
  yield decode(() => decoder.decode())
}

function decode(read: () => string): string {
  try {
    return read()
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'It is not UTF-8.', { field: 'data', cause })
  }
}
