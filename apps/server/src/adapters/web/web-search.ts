import { AppError } from '@palimpsest/core/domain'
import type { WebSearch } from '@palimpsest/core/ports'
import { createCheckedFetch } from './checked-fetch.ts'
import { toResults } from './search-results.ts'
import { SEARCH_SERVICES, type SearchKind } from './search-services.ts'

/** Milliseconds of one search, and bytes of its answer after decompression. */
const TOTAL_MS = 15_000
const MAX_BYTES = 2_000_000

const HEADERS = { accept: 'application/json', 'user-agent': 'Palimpsest' }

export type SearchSettings = { kind: SearchKind; baseURL: string; apiKey: string }

/**
 * The search service that the operator has configured. Its host may be anywhere; no other host is called: a redirect is a
 * failure, so that the key goes to no one else.
 */
export function createWebSearch({ kind, baseURL, apiKey }: SearchSettings): WebSearch & AsyncDisposable {
  const base = new URL(baseURL.endsWith('/') ? baseURL : `${baseURL}/`)
  const { host, hostname } = base
  const bare = hostname.replace(/^\[|\]$/g, '')
  const http = createCheckedFetch((called) => called === hostname || called === bare)
  const { request, results, text } = SEARCH_SERVICES[kind]

  async function ask(query: string, signal: AbortSignal): Promise<unknown> {
    const { path, headers, body } = request(query, apiKey)
    const response = await http.fetch(new URL(path, base), {
      redirect: 'manual',
      signal,
      headers: { ...HEADERS, ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw refused(`${hostname} answered the search with status ${response.status}.`)
    }
    const pieces: Uint8Array[] = []
    let length = 0
    for await (const piece of response.body ?? []) {
      pieces.push(piece)
      length += piece.length
      if (length > MAX_BYTES) throw refused(`The answer of ${hostname} is too large.`)
    }
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  }

  return {
    host,
    async search(query, signal) {
      try {
        const answer = await ask(query, AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]))
        return toResults(results(answer), text)
      } catch (error) {
        signal.throwIfAborted()
        throw explain(error, hostname)
      }
    },
    [Symbol.asyncDispose]: () => http.destroy(),
  }
}

/** In words that hold neither the key nor what was asked. */
function explain(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error
  if (error instanceof SyntaxError) return refused(`${host} did not answer in JSON.`)
  const late = error instanceof Error && /Timeout/.test(error.name)
  return refused(late ? `${host} took too long.` : `${host} does not answer.`, error)
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'query', cause })
}
