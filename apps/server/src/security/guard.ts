import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ARCHIVE_LIMITS } from '@palimpsest/core'
import { AppError, BLOBS_PATH, LIMITS } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'
import type { Authenticator } from './authenticate.ts'
import { isOwnOrigin } from './own-origin.ts'
import type { RateLimits } from './rate-limit.ts'

export type GuardDeps = {
  isAllowedHost(header?: string): boolean
  authenticator: Authenticator
  limits: RateLimits
}

export type Guard = {
  /** Fails with the `AppError` that refuses the request. */
  request(request: IncomingMessage): Promise<void>
  /** The same for a WebSocket upgrade. */
  upgrade(request: IncomingMessage): Promise<void>
  /** Rights and rate of one more call on an open connection. */
  admit(request: IncomingMessage): Promise<void>
}

/** The header by which scripts prove that no form sent their request. */
const CUSTOM_HEADER = 'x-palimpsest-client'
/** The path of an import; with those of archives and uploads, the only one whose body may be large. */
export const IMPORT_PATH = '/api/v1/sessions/import'
/** The path of everything at once. */
export const ARCHIVE_PATH = '/api/v1/archive'
const READS = ['GET', 'HEAD']
const LOGIN = '/login'
/** Where the page of an authorisation server leads back to after a sign-in at an MCP server. */
export const MCP_CALLBACK_PATH = '/mcp/callback'
/** Paths that answer without a token. */
const OPEN = ['/healthz', '/readyz', MCP_CALLBACK_PATH]

/** The one check of every request, call and upgrade: host, origin, body, rate, rights. */
export function createGuard({ isAllowedHost, authenticator, limits }: GuardDeps): Guard {
  /** A valid secret is never refused because of wrong ones from the same address, which may be a proxy's. */
  async function admit(request: IncomingMessage, calls = 1, isOpen = false): Promise<void> {
    const isIn = authenticator.authenticate(request.headers)
    await limits.request(addressOf(request), calls, isIn)
    if (isIn || isOpen) return
    if (authenticator.claims(request.headers)) await limits.wrongSecret(addressOf(request))
    throw new AppError(
      'UNAUTHORIZED',
      'This server requires a token. Open /login?token=<token> once, or send it as Bearer.',
    )
  }

  /** Without a token these paths are for this machine only; behind a proxy every request seems to come from it. */
  function checkMetrics({ headers }: IncomingMessage): void {
    if (authenticator.required || !Object.keys(headers).some(isForwarding)) return
    throw new AppError(
      'PERMISSION_DENIED',
      'Metrics are not shown through a proxy unless PALIMPSEST_TOKEN is set and sent.',
    )
  }

  function checkHost(request: IncomingMessage): void {
    if (isAllowedHost(request.headers.host)) return
    throw new AppError(
      'PERMISSION_DENIED',
      'This server does not go by that host name. Name it in PALIMPSEST_ALLOWED_HOSTS to allow it.',
    )
  }

  return {
    admit: (request) => admit(request),
    async request(request) {
      checkHost(request)
      const path = pathOf(request)
      const reads = READS.includes(request.method ?? '')
      if ((!reads || isCall(path) || isRest(path)) && !isOwnOrigin(request.headers)) throw crossSite()
      if (!reads) checkBody(request, path)
      if (path === '/metrics') checkMetrics(request)
      // A login counts its wrong tokens itself, and a valid one has to pass.
      if (path !== LOGIN) await admit(request, callsIn(request).length, OPEN.includes(path))
    },
    async upgrade(request) {
      checkHost(request)
      if (!isOwnOrigin(request.headers)) throw crossSite()
      await admit(request)
    },
  }
}

/** The request's path without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/'
}

/** What follows the path. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '/'
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
}

/** The address of the client. */
export function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? 'unknown'
}

/** Whether the path is one of tRPC's. */
export function isCall(path: string): boolean {
  return path === '/trpc' || path.startsWith('/trpc/')
}

/** The procedures that a request calls; a request that is no batch counts as one call, on any path. */
export function callsIn(request: IncomingMessage): string[] {
  const path = pathOf(request)
  const name = decodeURIComponent(path.slice('/trpc/'.length))
  const isBatch = queryOf(request).get('batch') === '1'
  return isCall(path) && isBatch ? name.split(',') : [name]
}

export function isRest(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

function checkBody({ headers }: IncomingMessage, path: string): void {
  if (path === BLOBS_PATH) {
    checkUpload(headers)
    return
  }
  if (path === ARCHIVE_PATH) {
    checkArchive(headers)
    return
  }
  const isImport = path === IMPORT_PATH
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  // Like JSON, and unlike what a form can send, this type needs a preflight when another site sends it.
  const isJson = type === 'application/json' || (isImport && type === 'application/x-ndjson')
  const isEmptyCall = type === undefined && headers[CUSTOM_HEADER] !== undefined
  if (!isJson && !isEmptyCall) {
    throw new AppError('INVALID_INPUT', 'Requests that change something are JSON.', { field: 'content-type' })
  }
  const most = isImport ? SERVER_LIMITS.importBytes : LIMITS.requestBytes
  if (Number(headers['content-length'] ?? 0) > most) {
    throw new AppError('INVALID_INPUT', `A request takes at most ${most} bytes.`, {
      field: 'body',
    })
  }
}

/** No form can send this type without a preflight. */
function checkArchive(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] !== 'application/gzip')
    throw new AppError('INVALID_INPUT', 'An archive is application/gzip.', { field: 'content-type' })
  if (Number(headers['content-length'] ?? 0) > ARCHIVE_LIMITS.bytes) {
    const message = `An archive has at most ${ARCHIVE_LIMITS.bytes} bytes.`
    throw new AppError('INVALID_INPUT', message, { field: 'body' })
  }
}

/** Types that a form of another site can send without a preflight. */
const FORM_TYPES: ReadonlySet<string> = new Set([
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
])

/** An upload has the type of its file. Where a browser may have sent it from a form, a header proves that none did. */
function checkUpload(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = type === '' || FORM_TYPES.has(type)
  const isBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  if (isForm && isBrowser && headers[CUSTOM_HEADER] === undefined) {
    const message = `A page that uploads a file of type ${type || 'none'} sends the header ${CUSTOM_HEADER}.`
    throw new AppError('INVALID_INPUT', message, { field: 'content-type' })
  }
  if (Number(headers['content-length'] ?? 0) > LIMITS.blobBytes) {
    const message = `A file has at most ${LIMITS.blobBytes} bytes.`
    throw new AppError('INVALID_INPUT', message, { field: 'body' })
  }
}

/** Headers that proxies add. */
function isForwarding(name: string): boolean {
  return name.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(name)
}

function crossSite(): AppError {
  return new AppError('PERMISSION_DENIED', 'Requests of other sites are not answered.')
}
