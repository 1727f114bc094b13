import { BLOBS_PATH, blobUrl, isObject } from '@palimpsest/core/domain'

export type UploadedFile = { id: string; bytes: Blob; mediaType: string }

export type UploadReport = {
  /** `sent` is the share that the server has, from 0 to 1. */
  onProgress(sent: number): void
  /** The server does not answer; the upload continues once it does. */
  onWaiting(): void
}

/** An answer that a repetition does not change. */
class UploadError extends Error {}

type Answer = { status: number; body: unknown }

/** Milliseconds until an upload that lost its connection is tried again. */
const RETRY_MS = 2_000
const CREATED = 201
const CONFLICT = 409
const SERVER_ERROR = 500

/**
 * Uploads a file and returns the path that names it. A lost connection is waited for, and the upload continues where it
 * was, also one that an earlier page began. Rejects with what the server says when it refuses the file, and when
 * `signal` aborts.
 */
export async function uploadFile(
  file: UploadedFile,
  { onProgress, onWaiting }: UploadReport,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const answer = await attempt(file, onProgress, signal)
    signal.throwIfAborted()
    if (answer?.status === CREATED && isObject(answer.body)) return blobUrl(String(answer.body['hash']))
    const isRefused = answer !== null && answer.status < SERVER_ERROR && answer.status !== CONFLICT
    if (isRefused) throw new UploadError(messageOf(answer.body))
    onWaiting()
    await nextChance(signal)
  }
}

/** Asks what has arrived, and sends the rest; null without an answer. */
async function attempt(
  { id, bytes, mediaType }: UploadedFile,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<Answer | null> {
  const total = bytes.size
  const headers = { 'content-type': mediaType, 'upload-id': id }
  const known = await post(null, { ...headers, 'content-range': `bytes */${total}` }, signal)
  if (known?.status !== 200 || !isObject(known.body)) return known
  const received = Math.min(Number(known.body['received']), Math.max(0, total - 1))
  const report = (sent: number) => onProgress(total === 0 ? 1 : (received + sent) / total)
  const range = total === 0 ? {} : { 'content-range': `bytes ${received}-${total - 1}/${total}` }
  return await post(bytes.slice(received), { ...headers, ...range }, signal, report)
}

/** Only this API reports the progress of a request's body. */
function post(
  body: Blob | null,
  headers: Record<string, string>,
  signal: AbortSignal,
  onSent?: (bytes: number) => void,
): Promise<Answer | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', BLOBS_PATH)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('x-palimpsest-client', 'web')
    request.responseType = 'json'
    if (onSent !== undefined) request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => resolve({ status: request.status, body: request.response })
    request.onerror = () => resolve(null)
    request.onabort = () => resolve(null)
    const stop = () => request.abort()
    signal.addEventListener('abort', stop, { once: true })
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.send(body)
  })
}

/** Resolves after a moment, or as soon as the browser is online again. */
function nextChance(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, RETRY_MS)
    window.addEventListener('online', go)
    signal.addEventListener('abort', go)
  })
}

function messageOf(body: unknown): string {
  const error = isObject(body) ? body['error'] : null
  return isObject(error) ? String(error['message']) : ''
}

/** Whether the server still has an uploaded file; true without an answer. */
export async function isStored(url: string): Promise<boolean> {
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => null)
  return answer?.status !== NOT_FOUND
}

const NOT_FOUND = 404
