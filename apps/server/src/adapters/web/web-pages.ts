import { AppError } from '@palimpsest/core/domain'
import type { FetchedPage, PageFormat, WebPages } from '@palimpsest/core/ports'
import { type Agent, fetch, type Response } from 'undici'
import { createCheckedAgent, NotPublicError } from './checked-agent.ts'
import { toMarkdown, toPlainText } from './to-markdown.ts'

/** Redirects of one page, milliseconds in all, bytes after decompression, and bytes of a result. */
const MAX_REDIRECTS = 5
const TOTAL_MS = 20_000
const MAX_BYTES = 3_000_000
const RESULT_BYTES = 200_000

const HEADERS = {
  accept: 'text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.1',
  'user-agent': 'Palimpsest',
}
const TEXTS = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|yaml|x-yaml|toml|xhtml\+xml))/

export type WebSettings = {
  /** Hosts that may be anywhere, on this machine too. */
  allowedHosts?: readonly string[]
}

/** Pages by HTTP, of public addresses only: each address is checked as it is dialled, after every redirect again. */
export function createWebPages({ allowedHosts = [] }: WebSettings = {}): WebPages & AsyncDisposable {
  const agent = createCheckedAgent((host) => allowedHosts.includes(host))
  return {
    async fetch(url, format, signal) {
      try {
        return await fetchPage(url, format, agent, AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]))
      } catch (error) {
        signal.throwIfAborted()
        throw explain(error, url)
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

async function fetchPage(
  start: string,
  format: PageFormat,
  agent: Agent,
  signal: AbortSignal,
): Promise<FetchedPage> {
  let url = checked(start)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(url, { dispatcher: agent, redirect: 'manual', signal, headers: HEADERS })
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return await readPage(url, response, format)
    await response.body?.cancel()
    if (!URL.canParse(location, url)) throw refused('It redirects to an address that cannot be read.')
    const next = checked(new URL(location, url).href)
    // A person allowed this host, and not the other one.
    if (!isSameHost(next, url)) return { type: 'redirect', url: url.href, to: next.href }
    url = next
  }
  throw refused(`It redirects more than ${MAX_REDIRECTS} times.`)
}

function checked(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw refused('The address has to begin with http:// or https://.')
  if (url.username !== '' || url.password !== '') throw refused('The address must not hold a user name.')
  return url
}

/** Also over to https; never back. */
function isSameHost(next: URL, before: URL): boolean {
  return next.hostname === before.hostname && !(before.protocol === 'https:' && next.protocol === 'http:')
}

async function readPage(url: URL, response: Response, format: PageFormat): Promise<FetchedPage> {
  const type = (response.headers.get('content-type') ?? 'text/plain').toLowerCase()
  if (!TEXTS.test(type)) {
    await response.body?.cancel()
    throw refused(`It is of type ${type.slice(0, 100)}, which is no text.`)
  }
  const { bytes, isWhole } = await readBytes(response)
  const source = decoderOf(type).decode(bytes)
  const text = await toText(source, /html/.test(type) ? format : 'html')
  const cut = Buffer.from(text).subarray(0, RESULT_BYTES)
  const isAll = cut.length === Buffer.byteLength(text)
  const shown = isAll ? text : new TextDecoder().decode(cut).replace(/\uFFFD$/, '')
  return { type: 'page', url: url.href, status: response.status, text: shown, truncated: !isWhole || !isAll }
}

/** Bytes as they come out of decompression, up to the limit. */
async function readBytes({ body }: Response): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length > MAX_BYTES) return { bytes: Buffer.concat(pieces).subarray(0, MAX_BYTES), isWhole: false }
  }
  return { bytes: Buffer.concat(pieces), isWhole: true }
}

function decoderOf(type: string): TextDecoder {
  const charset = /charset\s*=\s*"?([\w.:-]+)/.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

async function toText(source: string, format: PageFormat): Promise<string> {
  if (format === 'html') return source
  return format === 'text' ? await toPlainText(source) : await toMarkdown(source)
}

function explain(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error
  const causes = [error, error instanceof Error ? error.cause : undefined]
  const notPublic = causes.find((cause) => cause instanceof NotPublicError)
  if (notPublic !== undefined) return refused(`${notPublic.message}.`)
  const host = URL.canParse(url) ? new URL(url).hostname : 'The host'
  const late = causes.some((cause) => cause instanceof Error && /Timeout/.test(cause.name))
  return refused(late ? `${host} took too long.` : `${host} does not answer.`, error)
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'url', cause })
}
