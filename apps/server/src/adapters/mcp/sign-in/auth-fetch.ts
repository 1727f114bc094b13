import { createSecretRedactor } from '@palimpsest/core/domain'
import { type CheckedFetch, createCheckedFetch } from '../../web/checked-fetch.ts'

/** Bytes of an answer of an authorisation server, and milliseconds for all of it. */
const MAX_BYTES = 1_000_000
const TOTAL_MS = 15_000

/**
 * `fetch` for authorisation servers, whose addresses come from the MCP server: only HTTPS to hosts of the public web, or an origin in
 * `allowed`. No redirect is followed. The client package writes errors of these servers to the console: they are without `secrets`.
 */
export function createAuthFetch(allowed: readonly string[], secrets: () => readonly string[]): typeof fetch {
  const origins = new Set(allowed.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))
  const made: { open?: CheckedFetch; checked?: CheckedFetch } = {}

  function httpFor(url: URL): CheckedFetch {
    if (origins.has(url.origin)) {
      made.open ??= createCheckedFetch(() => true)
      return made.open
    }
    if (url.protocol !== 'https:') throw new Error(`${url.origin} is no address of HTTPS.`)
    made.checked ??= createCheckedFetch(() => false)
    return made.checked
  }

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const answer = await httpFor(url).fetch(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      redirect: 'manual',
      signal: AbortSignal.timeout(TOTAL_MS),
      ...bodyOf(init),
    })
    const bytes = await wholeBody(answer.body ?? [], url)
    const hasBody = answer.status !== 204 && answer.status !== 304
    const headers = Object.fromEntries(answer.headers)
    const body = answer.ok ? bytes : createSecretRedactor([...secrets()])(bytes.toString('utf8'))
    return new Response(hasBody ? body : null, { status: answer.status, headers })
  }
}

function bodyOf({ body }: RequestInit): { body?: string } {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'string' && !(body instanceof URLSearchParams))
    throw new Error('A request for a sign-in has a text as its body.')
  return { body: body.toString() }
}

async function wholeBody(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, { origin }: URL) {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    read.push(piece)
    bytes += piece.length
    if (bytes > MAX_BYTES) throw new Error(`${origin} sent more than ${MAX_BYTES / 1_000_000} MB.`)
  }
  return Buffer.concat(read)
}
