/**
 * What becomes of a redirect of an allowed address: it is followed on the same host and port, also over to https, `returned` as an
 * address for the next call where it leads to another, and refused from https back to http.
 */
export function onRedirect(from: URL, to: URL): 'followed' | 'returned' | 'refused' {
  if (to.host !== from.host) return 'returned'
  return from.protocol === 'https:' && to.protocol === 'http:' ? 'refused' : 'followed'
}
