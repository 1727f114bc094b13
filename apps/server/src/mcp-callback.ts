import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@palimpsest/core/domain'
import { queryOf } from './security/guard.ts'

/**
 * Ends a sign-in at an MCP server. The browser comes from another site and sends no cookie: what it may do is decided by the state
 * in its address, which is secret and counts once. The answer is plain text.
 */
export function createMcpCallback(finish: (params: URLSearchParams) => Promise<string>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET')
      throw new AppError('INVALID_INPUT', 'A sign-in ends with a GET.', { field: 'method' })
    const { status, text } = await finish(queryOf(request)).then(
      (name) => ({ status: 200, text: `You are signed in at ${name}. You can close this tab.` }),
      (error: unknown) => ({ status: 400, text: reasonOf(error) }),
    )
    response
      .writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .end(text)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The sign-in failed.'
}
