import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '@palimpsest/core/domain'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { toTrpcError, toWireError } from './trpc/errors.ts'

type Refusal = {
  status: number
  body: {
    error: {
      message: string
      code: number
      data: { code: string; httpStatus: number; appCode: ErrorCode; field?: string }
    }
  }
}

/** An error as an HTTP answer, in the shape of tRPC's errors. It contains code, message and field, and nothing else. */
export function toRefusal(error: unknown): Refusal {
  const wire = toTrpcError(error)
  const known = toWireError(wire)
  const httpStatus = getHTTPStatusCodeFromError(wire)
  const field = known.field === undefined ? {} : { field: known.field }
  const data = { code: wire.code, httpStatus, appCode: known.code, ...field }
  return {
    status: httpStatus,
    body: { error: { message: known.message, code: TRPC_ERROR_CODES_BY_KEY[wire.code], data } },
  }
}

/** Answers with JSON; a response that has already begun is cut instead. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
