const LINKS = new Set(['http:', 'https:', 'mailto:'])
const IMAGES = new Set(['https:'])

/** The address when a link may lead there: absolute, and http, https or mailto. */
export function allowedLink(href: string | undefined): URL | null {
  return allowed(href, LINKS)
}

/** The address when an image may be fetched from there, once a reader asks: absolute https. */
export function allowedImage(src: string | undefined): URL | null {
  return allowed(src, IMAGES)
}

function allowed(address: string | undefined, protocols: ReadonlySet<string>): URL | null {
  const url = address === undefined ? null : URL.parse(address)
  return url && protocols.has(url.protocol) ? url : null
}
