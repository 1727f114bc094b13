import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { SessionService } from '@palimpsest/core'
import { drained } from '../drained.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { historyInputs } from '../trpc/history-inputs.ts'
import { checkInput } from './check-input.ts'

/** Characters that leave at once. */
const PIECE = 65_536

const TYPES = { jsonl: 'application/x-ndjson; charset=utf-8', json: 'application/json' }

/**
 * Answers with a session's rows as a file, each as it leaves the store and no sooner than there is room for it. A failure
 * after the first of them cuts the connection, so that half a file never looks whole.
 */
export async function exportSession(
  sessions: SessionService,
  sessionId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://host').searchParams)
  const input = checkInput(historyInputs.export, { ...query, sessionId })
  const { format = 'jsonl' } = input
  // What it reads is kept as it was for as long as that lasts.
  response.setTimeout(SERVER_LIMITS.readerStallMs, () => response.destroy())
  for await (const piece of inPieces(sessions.history.export(input))) {
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': TYPES[format],
        'content-disposition': `attachment; filename="${sessionId}.${format}"`,
        'cache-control': 'no-store',
      })
    }
    if (response.destroyed) return
    if (!response.write(piece)) await drained(response)
    // A fast reader's socket takes all that it is given, and others wait for their turn.
    await setImmediate()
  }
  response.end()
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
