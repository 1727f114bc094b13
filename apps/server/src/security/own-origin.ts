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

function isThisHost(origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host?.toLowerCase()
}
