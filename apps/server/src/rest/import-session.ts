import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SessionService } from '@palimpsest/core'
import { AppError } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'
import { sendJson } from '../refusal.ts'

/** Reads an export from the request's body as it arrives, and answers with the imported session. */
export async function importSession(
  sessions: SessionService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  sendJson(response, 200, await sessions.history.import(textOf(request)))
}

async function* textOf(request: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of chunksOf(request)) {
    bytes += chunk.length
    if (bytes > SERVER_LIMITS.importBytes) throw tooLarge()
    yield decode(() => decoder.decode(chunk, { stream: true }))
  }
  yield decode(() => decoder.decode())
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body ended before its end.', { field: 'body', cause })
  }
}

function decode(read: () => string): string {
  try {
    return read()
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'An export is UTF-8.', { field: 'body', cause })
  }
}

function tooLarge(): AppError {
  return new AppError('INVALID_INPUT', `An import takes at most ${SERVER_LIMITS.importBytes} bytes.`, {
    field: 'body',
  })
}
