import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@palimpsest/core/domain'
import type { Authenticator } from './authenticate.ts'
import { addressOf } from './guard.ts'
import type { RateLimits } from './rate-limit.ts'

/** Answers `/login?token=`: the right token becomes a cookie and leads to the start page, so that it leaves the address bar. */
export async function login(
  request: IncomingMessage,
  response: ServerResponse,
  { authenticator, limits }: { authenticator: Authenticator; limits: RateLimits },
): Promise<void> {
  const token = new URL(request.url ?? '/', 'http://host').searchParams.get('token') ?? ''
  const isRight = await limits.tryToken(addressOf(request), () => authenticator.matches(token))
  if (!isRight)
    throw new AppError('UNAUTHORIZED', 'That is not the token of this server.', { field: 'token' })
  response
    .writeHead(303, { location: '/', 'set-cookie': authenticator.cookie(), 'cache-control': 'no-store' })
    .end()
}
