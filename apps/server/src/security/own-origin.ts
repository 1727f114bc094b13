import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a page of ours, or no browser at all, sent this request. `Sec-Fetch-Site` decides where it
 * is sent; a cross-site request passes only with an `Origin` that is this host.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (headers.origin !== undefined) return isThisHost(headers.origin, headers.host)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Whether an origin that a caller names is this server's: that of the caller's own request, or an allowed name with HTTPS at its own
 * port, as behind a proxy. Another port may be another program.
 */
export function isOwnAddress(
  origin: string,
  host: string | undefined,
  isAllowedHost: (host: string) => boolean,
): boolean {
  const url = URL.parse(origin)
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin.toLowerCase()) return false
  return (
    isAllowedHost(url.host) && (isThisHost(origin, host) || (url.protocol === 'https:' && url.port === ''))
  )
}

function isThisHost(origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host?.toLowerCase()
}
