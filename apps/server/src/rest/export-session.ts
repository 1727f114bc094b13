import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { SessionService } from '@palimpsest/core'
import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { drained } from '../drained.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { historyInputs } from '../trpc/history-inputs.ts'
import { attachmentNamed } from './attachment-named.ts'

/** Characters that are sent at once. */
const PIECE = 65_536

const TYPES = { jsonl: 'application/x-ndjson; charset=utf-8', json: 'application/json' }

/**
 * Sends a session's rows as a file, called by `name` of the query or the session's id, each read from the store when the connection is writable. A failure
 * after the first row cuts the connection, so that half a file never looks complete.
 */
export async function exportSession(
  sessions: SessionService,
  sessionId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { name, ...query } = Object.fromEntries(new URL(request.url ?? '/', 'http://host').searchParams)
  const files = query['files'] === 'true' ? true : query['files'] === 'false' ? false : query['files']
  const input = checkInput(historyInputs.export, {
    ...query,
    sessionId,
    ...(files !== undefined && { files }),
  })
  const { format = 'jsonl' } = input
  // The export reads a consistent state for as long as it lasts.
  response.setTimeout(SERVER_LIMITS.readerStallMs, () => response.destroy())
  for await (const piece of inPieces(sessions.history.export(input))) {
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': TYPES[format],
        'content-disposition': attachmentNamed(name ?? `${sessionId}.${format}`),
        'cache-control': 'no-store',
      })
    }
    if (response.destroyed) return
    if (!response.write(piece)) await drained(response)
    // The socket of a fast reader is always writable; other requests get their turn here.
    await setImmediate()
  }
  response.end()
}

/** Returns the caller's input when the schema accepts it; fails as a tRPC call does otherwise. */
function checkInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { success, data, error: cause } = schema.safeParse(value)
  if (success) return data
  throw new TRPCError({ code: 'BAD_REQUEST', cause })
}

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
