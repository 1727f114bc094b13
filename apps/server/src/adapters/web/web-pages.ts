import { AppError, isPdf, PDF_LIMITS, pdfText } from '@palimpsest/core/domain'
import type { FetchedPage, PageFormat, PdfReader, WebPages } from '@palimpsest/core/ports'
import type { Response } from 'undici'
import { type CheckedFetch, createCheckedFetch } from './checked-fetch.ts'
import { NotPublicError } from './not-public-error.ts'
import { onRedirect } from './redirect.ts'
import { toMarkdown, toPlainText } from './to-markdown.ts'

/** Redirects of one page, milliseconds in all, bytes after decompression, and bytes of a result. */
const MAX_REDIRECTS = 5
const TOTAL_MS = 20_000
const MAX_BYTES = 3_000_000
const RESULT_BYTES = 200_000

const HEADERS = {
  accept: 'text/html, text/markdown, text/plain, application/json;q=0.9, application/pdf;q=0.8, */*;q=0.1',
  'user-agent': 'Palimpsest',
}
const TEXTS = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|yaml|x-yaml|toml|xhtml\+xml))/
/** Types under which servers send PDFs, and now and then a page in place of one. */
const MAYBE_PDFS = /^application\/(?:x-)?(?:pdf|octet-stream)\b/

type ReadPdf = (bytes: Uint8Array) => ReturnType<PdfReader['read']>

export type WebSettings = {
  /** Hosts that may be anywhere, on this machine too. */
  allowedHosts?: readonly string[]
}

/** Pages by HTTP, of public addresses only: each address is checked as it is dialled, after every redirect again. */
export function createWebPages(
  pdf: PdfReader,
  { allowedHosts = [] }: WebSettings = {},
): WebPages & AsyncDisposable {
  const http = createCheckedFetch((host) => allowedHosts.includes(host))
  return {
    async fetch(url, format, signal) {
      const readPdf: ReadPdf = (bytes) => pdf.read(bytes, signal)
      const within = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)])
      try {
        const found = await fetchPage(url, http, within)
        return found.type === 'redirect' ? found : await toPage(found, format, readPdf)
      } catch (error) {
        signal.throwIfAborted()
        throw explain(error, url)
      }
    },
    [Symbol.asyncDispose]: () => http.destroy(),
  }
}

type FoundPage = {
  type: 'found'
  url: URL
  status: number
  mediaType: string
  bytes: Uint8Array
  isWhole: boolean
}

async function fetchPage(
  start: string,
  http: CheckedFetch,
  signal: AbortSignal,
): Promise<FoundPage | Extract<FetchedPage, { type: 'redirect' }>> {
  let url = checked(start)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await http.fetch(url, { redirect: 'manual', signal, headers: HEADERS })
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return await readFound(url, response)
    await response.body?.cancel()
    if (!URL.canParse(location, url)) throw refused('It redirects to an address that cannot be read.')
    const next = checked(new URL(location, url).href)
    const then = onRedirect(url, next)
    if (then === 'returned') return { type: 'redirect', url: url.href, to: next.href }
    if (then === 'refused') throw refused('It redirects from https back to http.')
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

async function readFound(url: URL, response: Response): Promise<FoundPage> {
  const mediaType = (response.headers.get('content-type') ?? 'text/plain').toLowerCase()
  if (!TEXTS.test(mediaType) && !MAYBE_PDFS.test(mediaType)) {
    await response.body?.cancel()
    throw noText(mediaType)
  }
  return { type: 'found', url, status: response.status, mediaType, ...(await readBytes(response)) }
}

/** Bytes as they come out of decompression, up to the limit. */
async function readBytes({ body }: Response): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  let most = MAX_BYTES
  for await (const piece of body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length > most && most === MAX_BYTES && isPdf(Buffer.concat(pieces))) most = PDF_LIMITS.bytes
    if (length > most) return { bytes: Buffer.concat(pieces).subarray(0, most), isWhole: false }
  }
  return { bytes: Buffer.concat(pieces), isWhole: true }
}

async function toPage(found: FoundPage, format: PageFormat, readPdf: ReadPdf): Promise<FetchedPage> {
  const { url, status } = found
  const { text, isWhole } = isPdf(found.bytes)
    ? await fromPdf(found, readPdf)
    : { text: await fromText(found, format), isWhole: found.isWhole }
  const cut = Buffer.from(text).subarray(0, RESULT_BYTES)
  const isAll = cut.length === Buffer.byteLength(text)
  const shown = isAll ? text : new TextDecoder().decode(cut).replace(/\uFFFD$/, '')
  return { type: 'page', url: url.href, status, text: shown, truncated: !isWhole || !isAll }
}

/** By its first bytes a PDF, whatever its type. */
async function fromPdf({ url, bytes, isWhole }: FoundPage, readPdf: ReadPdf) {
  if (!isWhole) throw refused(`It is a PDF of more than ${PDF_LIMITS.bytes / 1024 / 1024} MB.`)
  const read = pdfText(url.href, await readPdf(bytes))
  if (read.type === 'refused') throw refused(read.reason)
  return read
}

async function fromText({ mediaType, bytes }: FoundPage, format: PageFormat): Promise<string> {
  const source = decoderOf(mediaType).decode(bytes)
  const isText = TEXTS.test(mediaType)
  if (!isText && !/^\s*<(?:!doctype|html|head|body)\b/i.test(source)) throw noText(mediaType)
  return await toText(source, !isText || /html/.test(mediaType) ? format : 'html')
}

function noText(mediaType: string): AppError {
  return refused(`It is of type ${mediaType.slice(0, 100)}, which is no text.`)
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
