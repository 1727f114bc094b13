import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import type { ArchiveEntry, ArchiveService } from '@palimpsest/core'
import { createTarPacker, type TarPackController } from 'modern-tar'
import { SERVER_LIMITS } from '../limits.ts'
import { chunksOf } from './web-stream.ts'

/**
 * Sends everything as a gzipped tar, each entry read when the connection is writable. A failure after the first entry cuts
 * the connection, so that half an archive never looks complete.
 */
export async function exportArchive(archive: ArchiveService, response: ServerResponse): Promise<void> {
  const entries = archive.write(newHash)
  const first = await entries.next()
  if (first.done) return
  const day = new Date().toISOString().slice(0, 10)
  response.setTimeout(SERVER_LIMITS.readerStallMs, () => response.destroy())
  response.writeHead(200, {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="palimpsest-${day}.tar.gz"`,
    'cache-control': 'no-store',
  })
  const { readable, controller } = createTarPacker()
  // Files are often compressed already: the fastest level shrinks text to nearly the same size as others.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const sent = pipeline(Readable.from(chunksOf(readable)), gzip, response)
  const packed = packAll(controller, first.value, entries)
  const [sending, packing] = await Promise.allSettled([sent, packed])
  await entries.return(undefined)
  if (packing.status === 'rejected' && !isGone(sending)) throw packing.reason
}

/** The reader has disconnected, which is no failure. */
function isGone(sending: PromiseSettledResult<void>): boolean {
  return sending.status === 'rejected' && sending.reason?.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

async function packAll(
  controller: TarPackController,
  first: ArchiveEntry,
  rest: AsyncIterable<ArchiveEntry>,
): Promise<void> {
  try {
    await pack(controller, first)
    for await (const entry of rest) await pack(controller, entry)
    controller.finalize()
  } catch (error) {
    controller.error(error)
    throw error
  }
}

async function pack(controller: TarPackController, { name, size, content }: ArchiveEntry): Promise<void> {
  const writer = controller.add({ name, size, mode: 0o600 }).getWriter()
  for await (const piece of content) {
    await writer.write(piece)
    // Other requests get their turn between the pieces for a fast reader.
    await setImmediate()
  }
  await writer.close()
}

/** SHA-256, as the core asks for it. */
export function newHash() {
  const hash = createHash('sha256')
  return {
    update: (piece: Uint8Array | string) => void hash.update(piece),
    digest: () => hash.digest('hex'),
  }
}
