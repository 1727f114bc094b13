/** Any escape of JSON, so that a backslash that was written as two begins none. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g
const HALF = /^\\ud[89a-f]/

/**
 * A `fetch` whose requests hold no half characters: providers refuse these, and a conversation with one in it would be
 * refused for ever. In JSON nothing else is written as `\ud…`.
 */
export function wellFormedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const body = init?.body
    if (typeof body !== 'string' || !body.includes('\\ud')) return fetch(input, init)
    return fetch(input, {
      ...init,
      body: body.replace(ESCAPE, (written) => (HALF.test(written) ? '\\ufffd' : written)),
    })
  }
}
