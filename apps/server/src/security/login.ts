import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import { AppError } from '@palimpsest/core/domain'
import { TRPCError } from '@trpc/server'
import type { Authenticator } from './authenticate.ts'
import { addressOf, queryOf } from './guard.ts'
import { isOwnOrigin } from './own-origin.ts'
import type { RateLimits } from './rate-limit.ts'

/**
 * For a link on another site. The empty link points to this same address, and so does not repeat the token; a click on it
 * is a same-site request.
 */
const CONFIRMATION = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log in to Palimpsest</title>
<p>Another site opened this link. Continue only if you meant to log in here.</p>
<p><a href="">Log in</a></p>
</html>
`

/**
 * Serves `GET /login?token=`: a valid token becomes a cookie and redirects to the start page, which removes it from the address
 * bar. A navigation from another site gets a page with a link instead, and no cookie.
 */
export async function login(
  request: IncomingMessage,
  response: ServerResponse,
  { authenticator, limits }: { authenticator: Authenticator; limits: RateLimits },
): Promise<void> {
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET')
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' })
  }
  response.setHeader('cache-control', 'no-store')
  if (!isOwnOrigin(request.headers)) {
    response.writeHead(403, { 'content-type': 'text/html; charset=utf-8' }).end(CONFIRMATION)
    return
  }
  const token = queryOf(request).get('token') ?? ''
  if (!authenticator.matches(token)) {
    await limits.wrongSecret(addressOf(request))
    throw new AppError('UNAUTHORIZED', 'That is not the token of this server.', { field: 'token' })
  }
  response.writeHead(303, { location: '/', 'set-cookie': authenticator.cookie(isSecure(request)) }).end()
}

/** Whether the browser reached this server over TLS, directly or through a proxy. */
function isSecure({ headers, socket }: IncomingMessage): boolean {
  const forwarded = String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0]
  return (
    socket instanceof TLSSocket ||
    forwarded?.trim().toLowerCase() === 'https' ||
    /(^|[;,\s])proto="?https\b/i.test(headers.forwarded ?? '') ||
    headers.origin?.startsWith('https://') === true
  )
}
