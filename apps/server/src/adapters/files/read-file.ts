import type { FileHandle } from 'node:fs/promises'
import { FILE_BYTES } from '@palimpsest/core/ports'
import { refused } from './open-inside.ts'

/** The bytes of an open file. `INVALID_INPUT` when it is no regular file, or too large. */
export async function readOpened(file: FileHandle, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await file.stat()
  if (!found.isFile()) throw refused(path, 'is not a file')
  if (found.size > FILE_BYTES) throw refused(path, `is larger than ${FILE_BYTES / 1024 / 1024} MB`)
  const bytes = new Uint8Array(found.size)
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.slice(0, filled)
}
