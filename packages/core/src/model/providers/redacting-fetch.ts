/** A `fetch` whose error answers have lost every mention of the secret: some providers quote the key they refuse. */
export function redactingFetch(fetch: typeof globalThis.fetch, secret: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok) return response
    const text = await response.text()
    const { status, statusText, headers } = response
    return new Response(text.replaceAll(secret, '[removed]'), {
      status,
      statusText,
      headers: withoutLength(headers),
    })
  }
}

/** The body is decoded and may have changed its size. */
function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name)
  return kept
}
