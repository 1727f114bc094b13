import type { IncomingMessage } from 'node:http'
import { AppError } from '@palimpsest/core/domain'
import { callsIn, queryOf } from '../security/guard.ts'
import { assertShape, bytesFor, tooLarge } from './assert-size.ts'
import { outlineJson } from './outline-json.ts'

/**
 * Reads the input of an HTTP request to procedures and checks its size and shape before it is parsed. tRPC reads
 * the body from the request, where other servers put it. Fails with `INVALID_INPUT`.
 */
export async function readInput(request: IncomingMessage): Promise<void> {
  const query = queryOf(request).get('input')
  if (query !== null) assertShape(outlineJson(query), 'input')
  if (request.method === 'GET' || request.method === 'HEAD') return
  const body = await readText(request, bytesFor(callsIn(request)))
  assertShape(outlineJson(body), 'body')
  Object.assign(request, { body })
}

async function readText(request: IncomingMessage, most: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(request)) {
    bytes += chunk.length
    if (bytes > most) throw tooLarge(most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // A loop that ends early must keep the connection open for the error answer.
    yield* request.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body ended before its end.', { field: 'body', cause })
  }
}
