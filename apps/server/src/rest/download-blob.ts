import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobService } from '@palimpsest/core'
import { servedType } from '@palimpsest/core/domain'
import { TRPCError } from '@trpc/server'
import { SERVER_LIMITS } from '../limits.ts'
import { queryOf } from '../security/guard.ts'
import { BLOB_POLICY } from '../security/headers.ts'
import { attachmentNamed } from './attachment-named.ts'
import { byteRange } from './byte-range.ts'

const OK = 200
const PARTIAL = 206
const NOT_MODIFIED = 304
const NOT_SATISFIABLE = 416

/**
 * Sends a blob, or the range of it that is asked for, as a file to save: a browser runs nothing of it, and shows
 * pictures only inside a page of ours. `name` in the query is the name of the file.
 */
export async function downloadBlob(
  blobs: BlobService,
  hash: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const blob = await blobs.get(hash)
  if (blob === null) throw new TRPCError({ code: 'NOT_FOUND' })
  const { size, mediaType } = blob
  const tag = `"${hash}"`
  response.setHeader('content-security-policy', BLOB_POLICY)
  response.setHeader('etag', tag)
  // Asked again each time: a file that was deleted, or a right that was withdrawn, must not live on in a cache.
  response.setHeader('cache-control', 'private, no-cache')
  response.setHeader('accept-ranges', 'bytes')
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(NOT_MODIFIED).end()
    return
  }
  response.setHeader('content-type', servedType(mediaType))
  response.setHeader('content-disposition', attachmentNamed(queryOf(request).get('name')))
  const range = byteRange(request.headers, { size, tag })
  if (range === 'unsatisfiable') {
    response.writeHead(NOT_SATISFIABLE, { 'content-range': `bytes */${size}`, 'content-length': 0 }).end()
    return
  }
  const { start, end } = range ?? { start: 0, end: size }
  const content = await blobs.read(hash, { start, end })
  if (content === null) throw new TRPCError({ code: 'NOT_FOUND' })
  response.writeHead(range === null ? OK : PARTIAL, {
    'content-length': end - start,
    ...(range !== null && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  response.setTimeout(SERVER_LIMITS.readerStallMs, () => response.destroy())
  // A reader that leaves is no failure.
  await pipeline(Readable.from(content), response).catch(() => response.destroy())
}
