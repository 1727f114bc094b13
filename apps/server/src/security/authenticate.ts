import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const COOKIE = 'palimpsest'
const COOKIE_SECONDS = 30 * 24 * 60 * 60

/** The prefix of the WebSocket subprotocol that carries a token, in base64url, where no header can be set. */
const SUBPROTOCOL = 'palimpsest.token.'

export type Authenticator = {
  /** Whether a token is configured. */
  readonly required: boolean
  /** Whether the request carries any credential, valid or not. */
  claims(headers: IncomingHttpHeaders): boolean
  /** Whether the request carries the token: as bearer, in our cookie, or as a socket's subprotocol. */
  authenticate(headers: IncomingHttpHeaders): boolean
  /** Whether this is the token. */
  matches(token: string): boolean
  /** The cookie for a browser: it proves the token and does not contain it. `secure` for one that came over TLS. */
  cookie(secure: boolean): string
}

/** Compares with the server's token in constant time. Without a token every request that passes the other checks is accepted. */
export function createAuthenticator(token: string | undefined): Authenticator {
  const digest = (value: string, key: string) => createHmac('sha256', key).update(value).digest()
  const expected = token === undefined ? null : digest(token, 'palimpsest')
  const pass = token === undefined ? '' : digest('palimpsest browser session', token).toString('base64url')

  const matches = (candidate: string) =>
    expected === null || timingSafeEqual(digest(candidate, 'palimpsest'), expected)
  const isPass = (candidate: string) => timingSafeEqual(digest(candidate, 'pass'), digest(pass, 'pass'))

  return {
    required: expected !== null,
    matches,
    claims: (headers) =>
      headers.authorization !== undefined ||
      subprotocolToken(headers['sec-websocket-protocol']) !== null ||
      cookieValue(headers.cookie) !== null,
    authenticate(headers) {
      if (expected === null) return true
      const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
      if (bearer !== undefined) return matches(bearer)
      const carried = subprotocolToken(headers['sec-websocket-protocol'])
      if (carried !== null) return matches(carried)
      const cookie = cookieValue(headers.cookie)
      return cookie !== null && isPass(cookie)
    },
    cookie: (secure) =>
      `${COOKIE}=${pass}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}${secure ? '; Secure' : ''}`,
  }
}

/** The subprotocol to answer with: browsers close a socket whose offered subprotocols are all ignored. */
export function chooseSubprotocol(offered: ReadonlySet<string>): string | false {
  return [...offered].find((name) => name === 'palimpsest') ?? false
}

function subprotocolToken(header: string | undefined): string | null {
  const names = header?.split(',').map((name) => name.trim()) ?? []
  const carrier = names.find((name) => name.startsWith(SUBPROTOCOL))
  return carrier === undefined
    ? null
    : Buffer.from(carrier.slice(SUBPROTOCOL.length), 'base64url').toString('utf8')
}

function cookieValue(header: string | undefined): string | null {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? []
  const own = pairs.find((pair) => pair.startsWith(`${COOKIE}=`))
  return own?.slice(COOKIE.length + 1) ?? null
}
