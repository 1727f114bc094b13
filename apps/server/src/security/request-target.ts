import type { IncomingMessage } from 'node:http'
import { AppError } from '@palimpsest/core/domain'

/** A name or an address with a port: no value that a proxy and a browser could parse differently. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/**
 * Checks the host and path of a request. Fails with `INVALID_INPUT` for two hosts, for an invalid host, and
 * for a path that does not decode. An absolute URL in place of the path, as proxies receive, has to name the same host. The
 * address becomes what a URL parser makes of it, without dot segments, backslashes and fragment, so that each check and each
 * handler reads the same path.
 */
export function checkTarget(request: IncomingMessage): void {
  const { rawHeaders, headers } = request
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw refused('host', 'A request names one host.')
  if (headers.host !== undefined && !HOST.test(headers.host)) throw refused('host', 'That is no host.')
  request.url = originForm(request.url ?? '/', headers.host)
  const path = decoded(request.url.split('?', 1)[0] ?? '/')
  if (path === null || path.includes('\0')) throw refused('path', 'That is no path.')
}

function originForm(target: string, host: string | undefined): string {
  if (target.startsWith('/')) return pathIn(new URL(`http://host${target}`))
  const url = URL.canParse(target) ? new URL(target) : null
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isWeb || url.username !== '' || url.password !== '')
    throw refused('path', 'A request names a path.')
  // A URL omits the default port of its scheme.
  if (url.host !== new URL(`${url.protocol}//${host ?? ''}`.replace(/\/\/$/, '//none')).host)
    throw refused('host', 'The address and the Host header name different hosts.')
  return pathIn(url)
}

function pathIn({ pathname, search }: URL): string {
  return `${pathname}${search}`
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

function refused(field: string, words: string): AppError {
  return new AppError('INVALID_INPUT', words, { field })
}
