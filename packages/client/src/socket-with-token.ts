/** The prefix of the subprotocol that carries a token; browsers can set no header on a socket. */
const PREFIX = 'palimpsest.token.'

/** The `WebSocket` of this runtime, with the token as a subprotocol. */
export function socketWithToken(token: string): typeof WebSocket {
  const protocols = ['palimpsest', `${PREFIX}${base64url(token)}`]
  return new Proxy(WebSocket, {
    construct: (target, [url]: [string]) => new target(url, protocols),
  })
}

function base64url(text: string): string {
  const binary = String.fromCodePoint(...new TextEncoder().encode(text))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
