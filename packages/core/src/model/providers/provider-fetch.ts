import { PROVIDER_LIMITS } from '../../domain/model/provider-limits.ts'
import { cutString } from '../../domain/values/cut-string.ts'
import type { Clock } from '../../ports/clock.ts'
import { type AnswerEnd, answerEndOf } from '../answer-end.ts'
import { RefusedAnswerError } from '../refused-answer.ts'
import { createAnswerScanner } from './answer-scanner.ts'
import { boundedBody } from './bounded-body.ts'

/** Characters of a request from which on other work has a turn before it is sent. */
const LONG_BODY = 256 * 1024

export type ProviderFetchDeps = {
  fetch: typeof globalThis.fetch
  /** Takes the secrets of the provider out of a text. */
  redact: (text: string) => string
  clock: Pick<Clock, 'elapsed' | 'turn'>
}

/**
 * The one `fetch` for model servers. It follows no redirect, bounds what comes back, and takes the provider's secrets out
 * of every failure: refusals that quote the key, and errors of the network that quote a header.
 */
export function createProviderFetch({ fetch, redact, clock }: ProviderFetchDeps): typeof globalThis.fetch {
  return async (input, init) => {
    const isStream = wantsStream(input, init)
    const asked = requestOf(init, isStream)
    const request = isLong(asked.body) ? { ...asked, body: await encoded(asked.body, clock) } : asked
    const response = await fetch(input, request).catch((error: unknown) => {
      throw redactedError(error, redact)
    })
    const { body, ok } = response
    if (isRedirect(response)) {
      body?.cancel().catch(() => undefined)
      throw new RefusedAnswerError('The provider answered with a redirect, which is not followed.')
    }
    if (body === null) return response
    if (!ok) return await redactedRefusal(response, body, redact)
    const scanner = createAnswerScanner(isStream ? 'stream' : 'body')
    const end = isStream ? answerEndOf(init) : undefined
    const onFailure = end && ((error: unknown) => endWith(end, error))
    const options = { clock, hasEvents: isStream && !isJson(response), onFailure }
    return new Response(boundedBody(body, scanner, options), response)
  }
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}

function isLong(body: RequestInit['body']): body is string {
  return typeof body === 'string' && body.length > LONG_BODY
}

/** A long body in UTF-8, encoded in pieces: writing it took its time. */
async function encoded(body: string, clock: ProviderFetchDeps['clock']): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  for (const piece of cutString(body, LONG_BODY)) {
    await clock.turn()
    pieces.push(encoder.encode(piece))
  }
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

function endWith(end: AnswerEnd, error: unknown): void {
  end.failure = { error }
  end.onFailure()
}

/**
 * The request without following redirects. A stream is asked for as it is: a decoder holds back the end of what has come, and
 * a cut connection discards it.
 */
function requestOf(init: RequestInit | undefined, isStream: boolean): RequestInit {
  if (!isStream) return { ...init, redirect: 'manual' }
  const headers = new Headers(init?.headers)
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity')
  return { ...init, headers, redirect: 'manual' }
}

/** What the answer is said to be by its headers is up to the provider. */
function wantsStream(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const { body } = init ?? {}
  const url = input instanceof Request ? input.url : String(input)
  return (
    url.includes(':streamGenerateContent') || (typeof body === 'string' && body.lastIndexOf(STREAMED) !== -1)
  )
}

/**
 * Quotation marks inside a text are escaped, so nothing that was said looks like this. Packages write it after the messages, and
 * these may be megabytes.
 */
const STREAMED = '"stream":true'

async function redactedRefusal(
  response: Response,
  body: ReadableStream<Uint8Array>,
  redact: (text: string) => string,
): Promise<Response> {
  const { status, statusText, headers } = response
  const text = redact(await readStart(body, PROVIDER_LIMITS.errorBytes))
  const kept = [...headers].filter(([name]) => !OF_THE_WIRE.has(name))
  return new Response(text, {
    status,
    statusText: redact(statusText),
    headers: kept.map(([name, value]) => [name, redact(value)]),
  })
}

/** They describe bytes that are decoded and may have changed. */
const OF_THE_WIRE: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'transfer-encoding'])

/** The text of at most so many bytes; the rest is left. A body that breaks off is as long as it is. */
async function readStart(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  try {
    while (left > 0) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.length
    }
  } catch {
    // What has come says more than that the rest did not.
  }
  reader.cancel().catch(() => undefined)
  return text
}

const MAX_CAUSES = 8

/** The error itself, its messages and those of its causes without secrets. */
function redactedError(error: unknown, redact: (text: string) => string): unknown {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    const { message, stack } = cause
    const clean = redact(message)
    // Of a `DOMException` the message is no property of its own.
    if (clean !== message)
      Object.defineProperties(cause, { message: { value: clean }, stack: { value: redact(stack ?? '') } })
    cause = cause.cause
  }
  return error
}
