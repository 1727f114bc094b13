import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'
import { createAuthenticator } from './authenticate.ts'
import { createGuard, type Guard } from './guard.ts'
import { createHostCheck, isLoopback } from './host-check.ts'
import { login } from './login.ts'
import { isOwnAddress } from './own-origin.ts'
import { createRateLimits } from './rate-limit.ts'

export type AuthGateSettings = {
  host: string
  token: string | undefined
  /** Host names beside the default ones. */
  allowedHosts: readonly string[]
  /** 0 for no limit. */
  requestsPerMinute: number
}

export type AuthGate = {
  guard: Guard
  /** Whether an origin that the caller names is this server's, as `isOwnAddress`. */
  isOwnAddress(origin: string, request: IncomingMessage): boolean
  login(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** Checks tokens, hosts and rates. Fails when the server would be reachable from other machines without a strong token. */
export function createAuthGate({ host, token, allowedHosts, requestsPerMinute }: AuthGateSettings): AuthGate {
  if (token === undefined && !isLoopback(host)) {
    throw new AppError(
      'INVALID_INPUT',
      `Other machines can reach ${host}, so a token is needed. Set HOST to 127.0.0.1, or PALIMPSEST_TOKEN to a random text, such as ${randomUUID()}`,
      { field: 'PALIMPSEST_TOKEN' },
    )
  }
  const { tokenCharacters } = SERVER_LIMITS
  if (token !== undefined && token.length < tokenCharacters && !isLoopback(host)) {
    throw new AppError(
      'INVALID_INPUT',
      `Other machines can reach ${host}, and PALIMPSEST_TOKEN has less than ${tokenCharacters} characters, so that it can be guessed. Take a random one, such as ${randomUUID()}`,
      { field: 'PALIMPSEST_TOKEN' },
    )
  }
  const authenticator = createAuthenticator(token)
  const limits = createRateLimits(requestsPerMinute)
  const isAllowedHost = createHostCheck(host, allowedHosts)
  return {
    guard: createGuard({ isAllowedHost, authenticator, limits }),
    isOwnAddress: (origin, { headers }) => isOwnAddress(origin, headers.host, isAllowedHost),
    login: (request, response) => login(request, response, { authenticator, limits }),
  }
}
