import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlobService } from '@palimpsest/core'
import { AppError, createId, LIMITS } from '@palimpsest/core/domain'
import { sendJson } from '../refusal.ts'

/** `bytes 0-99/1000`: this request has the first 100 of 1,000 bytes. */
const RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/
/** `bytes *​/1000` asks how many bytes have arrived. */
const QUESTION = /^bytes \*\/(\d{1,15}|\*)$/

const ACCEPTED = 202
const CREATED = 201

/**
 * Receives a file, or with `upload-id` and `content-range` the next bytes of one. Answers 201 with the blob once it has
 * all bytes, 202 with `received` before, and 200 with `received` where a `content-range` without bytes asks for it.
 */
export async function uploadBlob(
  blobs: BlobService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers } = request
  const uploadId = headers['upload-id'] ?? null
  if (Array.isArray(uploadId)) throw invalid('upload-id', 'A request names one upload.')
  const range = headers['content-range']
  if (range !== undefined && uploadId === null)
    throw invalid('upload-id', 'A request with a part of a file names its upload.')
  if (range !== undefined && uploadId !== null && QUESTION.test(range)) {
    request.resume()
    sendJson(response, 200, { received: await blobs.received(uploadId) })
    return
  }
  const { received, blob } = await blobs.upload({
    uploadId: uploadId ?? createId('prt'),
    mediaType: headers['content-type'] ?? '',
    ...placeOf(request),
    data: bytesOf(request),
  })
  if (blob === null) sendJson(response, ACCEPTED, { received })
  else sendJson(response, CREATED, { hash: blob.hash, size: blob.size, mediaType: blob.mediaType })
}

function placeOf({ headers }: IncomingMessage): { offset: number; total: number | null } {
  const range = headers['content-range']
  if (range === undefined) {
    const length = headers['content-length']
    return { offset: 0, total: length === undefined ? null : Number(length) }
  }
  const [, first, last, whole] = (RANGE.exec(range) ?? []).map(Number)
  const isSound = first !== undefined && last !== undefined && whole !== undefined
  if (!isSound || first > last || last >= whole)
    throw invalid('content-range', 'A range is `bytes first-last/total`.')
  if (whole > LIMITS.blobBytes) throw tooLarge()
  return { offset: first, total: whole }
}

async function* bytesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body ended before its end.', { field: 'body', cause })
  }
}

function tooLarge(): AppError {
  return invalid('body', `A file has at most ${LIMITS.blobBytes} bytes.`)
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field })
}
