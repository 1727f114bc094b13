import { AppError } from '../../domain/errors.ts'
import { isObject } from '../../domain/json/stored-keys.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_LIMITS,
  ARCHIVE_VERSION,
  type ArchiveEntry,
  type ArchiveHead,
  HEAD,
} from './archive-format.ts'
import { collect } from './bytes-of.ts'

/** What an archive says of itself. `INVALID_INPUT` for what is none, and for a newer one. */
export async function readHead(
  { name, size }: ArchiveEntry,
  content: AsyncIterable<Uint8Array>,
): Promise<ArchiveHead> {
  const bytes = name === HEAD && size <= ARCHIVE_LIMITS.smallBytes ? await collect(content, size) : null
  const head = bytes === null ? null : parse(bytes)
  const { format, version, createdAt } = isObject(head) ? head : {}
  if (format !== ARCHIVE_FORMAT || typeof version !== 'number' || typeof createdAt !== 'number')
    throw invalid('This file is not an archive that was exported here.')
  if (version > ARCHIVE_VERSION)
    throw invalid(`This archive has version ${version}; this server reads up to version ${ARCHIVE_VERSION}.`)
  return { format, version, createdAt }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

function invalid(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'body' })
}
