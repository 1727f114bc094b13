import { AppError } from '../../domain/errors.ts'
import { isObject } from '../../domain/json/stored-keys.ts'
import type { Clock } from '../../ports/index.ts'
import type { ManifestLine } from './archive-format.ts'
import { textOf } from './bytes-of.ts'

/** Characters of one line; the first one names files that were missing. */
const LINE = 16 * 1024 * 1024
const SHA256 = /^[0-9a-f]{64}$/

export type ReadManifest = { entries: number; lines: AsyncIterable<ManifestLine> }

/** Reads a manifest: how many entries it names, then each. `INVALID_INPUT` names the line that is none. */
export async function readManifest(
  content: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'turn'>,
): Promise<ReadManifest> {
  const rows = parsedLines(content, clock)
  const first = await rows.next()
  const head: unknown = first.done ? null : first.value
  const entries = isObject(head) ? head['entries'] : null
  if (typeof entries !== 'number')
    throw invalid('Line 1 of the manifest does not say how many entries there are.')
  return { entries, lines: linesOf(rows) }
}

async function* linesOf(rows: AsyncIterable<unknown>): AsyncGenerator<ManifestLine> {
  let number = 1
  for await (const row of rows) {
    number += 1
    const { name, bytes, sha256 } = isObject(row) ? row : {}
    const isLine = typeof name === 'string' && typeof bytes === 'number' && typeof sha256 === 'string'
    if (!isLine || !SHA256.test(sha256)) throw invalid(`Line ${number} of the manifest names no entry.`)
    yield { name, bytes, sha256 }
  }
}

async function* parsedLines(
  content: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'turn'>,
): AsyncGenerator<unknown> {
  let rest = ''
  for await (const piece of textOf(content)) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE) throw invalid('A line of the manifest is too long.')
    for (const line of lines) yield parse(line)
    await clock.turn()
  }
  if (rest !== '') yield parse(rest)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The manifest is not JSON lines.', { field: 'manifest', cause })
  }
}

function invalid(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'manifest' })
}
