import type { ServerResponse } from 'node:http'
import { type AppError, type ErrorCode, toAppError } from '@palimpsest/core/domain'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { toTrpcError } from './trpc/errors.ts'

type Refusal = { status: number; body: { error: { code: ErrorCode; message: string; field?: string } } }

/** An error outside of tRPC as HTTP has it. Nothing but code, message and field is told. */
export function toRefusal(error: unknown): Refusal {
  const known: AppError = toAppError(error)
  const { code, message, field } = known
  const status = getHTTPStatusCodeFromError(toTrpcError(known))
  return { status, body: { error: { code, message, ...(field !== undefined && { field }) } } }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
