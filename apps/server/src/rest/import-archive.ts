import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ARCHIVE_LIMITS, type ArchiveEntry, type ArchiveService, BrokenArchive } from '@palimpsest/core'
import { AppError } from '@palimpsest/core/domain'
import { createTarDecoder } from 'modern-tar'
import { SERVER_LIMITS } from '../limits.ts'
import { sendJson } from '../refusal.ts'
import { queryOf } from '../security/guard.ts'
import { newHash } from './export-archive.ts'
import { chunksOf, pump } from './web-stream.ts'

/** Imports an archive from the request's body as it arrives, and answers with what was imported, skipped and refused. */
export async function importArchive(
  archive: ArchiveService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const settings = queryOf(request).get('settings')
  if (settings !== null && settings !== 'true' && settings !== 'false')
    throw new AppError('INVALID_INPUT', 'It is true or false.', { field: 'settings' })
  request.setTimeout(SERVER_LIMITS.readerStallMs, () => request.destroy())
  const report = await archive.read(entriesOf(request), { settings: settings === 'true', newHash })
  sendJson(response, 200, report)
}

/** The files of a gzipped tar, read as they arrive. Every fault of its bytes is a `BrokenArchive`. */
async function* entriesOf(request: IncomingMessage): AsyncGenerator<ArchiveEntry> {
  const unzipped = createGunzip()
  const source = Readable.from(bounded(request)).on('error', (error) => unzipped.destroy(error))
  source.pipe(unzipped)
  const { readable, writable } = createTarDecoder({ strict: true })
  const pumped = pump(unzipped, writable)
  try {
    for await (const { header, body } of intact(chunksOf(readable))) {
      const content = intact(chunksOf(body))
      const { name, type = 'file' } = header
      if (type === 'file') yield { name, size: header.size, content }
      else if (type !== 'directory') yield { name: `${name} (${type})`, size: 0, content }
      for await (const _ of content) {
        // What nobody has read.
      }
    }
  } finally {
    source.destroy()
    unzipped.destroy()
    await pumped
  }
}

async function* bounded(request: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > ARCHIVE_LIMITS.bytes) throw new Error('The body has more bytes than an archive.')
    yield chunk
  }
}

/** The same values; a failure is that of the archive, and says nothing of this machine. */
async function* intact<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (cause) {
    throw new BrokenArchive('The archive is damaged or ends too early.', cause)
  }
}
