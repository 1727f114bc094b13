import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathOf } from './security/guard.ts'

/** Scripts and style sheets as Next names them: folders and names without a dot at their start. */
const STATIC = /^\/_next\/static\/((?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*\.(js|css))$/

const TYPES = { js: 'application/javascript; charset=UTF-8', css: 'text/css; charset=UTF-8' }

/**
 * Sends a script or style sheet that the build has compressed already. False where the request is for something else,
 * the browser reads no Brotli, or the build has no such file: then nothing was sent.
 */
export async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  buildFolder: string,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (!/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(request.headers['accept-encoding']))) return false
  const [, path, kind] = STATIC.exec(pathOf(request)) ?? []
  if (path === undefined) return false
  const bytes = await readFile(join(buildFolder, 'static', `${path}.br`)).catch(() => null)
  if (bytes === null) return false
  response.writeHead(200, {
    'content-type': TYPES[kind === 'css' ? 'css' : 'js'],
    'content-encoding': 'br',
    'content-length': bytes.byteLength,
    // The name has a digest of the content.
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
  return true
}
