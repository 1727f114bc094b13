import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { AppError } from '@palimpsest/core/domain'
import { diagramFrame } from './diagram-frame.ts'
import type { FrameDocument } from './frame-document.ts'
import { imageFrame } from './image-frame.ts'

const compress = promisify(gzip)
const compressed = new WeakMap<FrameDocument, Promise<Buffer>>()

export function isFrame(path: string): boolean {
  return path.startsWith('/frames/')
}

/** Serves `/frames/diagram` and `/frames/image?url=`, which our own pages embed in sandboxed frames. */
export async function serveFrame(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://host')
  const frame = await frameAt(url)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': frame.policy,
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
  }
  const zips =
    url.pathname === '/frames/diagram' && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  // The document is sandboxed: it has an origin of its own, which the header would contradict.
  response.removeHeader('origin-agent-cluster')
  const body = zips ? await zipped(frame) : frame.html
  response.writeHead(200, { ...headers, ...(zips && { 'content-encoding': 'gzip' }) }).end(body)
}

function frameAt({ pathname, searchParams }: URL): FrameDocument | Promise<FrameDocument> {
  switch (pathname) {
    case '/frames/diagram':
      return diagramFrame()
    case '/frames/image':
      return imageFrame(searchParams.get('url') ?? '')
    default:
      throw new AppError('INVALID_INPUT', 'There is no such frame.', { field: 'path' })
  }
}

function zipped(frame: FrameDocument): Promise<Buffer> {
  const known = compressed.get(frame) ?? compress(frame.html)
  compressed.set(frame, known)
  return known
}
