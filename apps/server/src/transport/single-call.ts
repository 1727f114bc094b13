import type { IncomingMessage, ServerResponse } from 'node:http'
import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape, type TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { appRouter } from '../routers/app-router.ts'
import { pathOf, queryOf } from '../security/guard.ts'
import type { CallContext } from '../trpc/context.ts'
import type { CallErrorHandler } from './report-call-error.ts'

// tRPC types its procedures nested, as the routers are, and keeps them flat.
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>

/** A query or a mutation that an HTTP request makes alone. */
export type SingleCall = { path: string; type: 'query' | 'mutation'; input: unknown }

/** The head of an answer as tRPC writes it. */
const HEAD = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  vary: 'trpc-accept, accept',
}

/**
 * The call of a request that makes a single plain one; null for every other request, which is left to tRPC: batches,
 * subscriptions, unknown procedures, other methods and content types, and input that is not JSON.
 */
export function singleCallOf(request: IncomingMessage): SingleCall | null {
  const { method, headers } = request
  if ('trpc-accept' in headers || headers.accept?.includes('jsonl')) return null
  const path = pathOf(request).slice('/trpc/'.length)
  const type = Object.hasOwn(procedures, path) ? procedures[path]?._def.type : undefined
  if (type === 'mutation' && method === 'POST') {
    const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
    return isJson && !request.url?.includes('?') ? withInput({ path, type }, bodyOf(request)) : null
  }
  if (type !== 'query' || method !== 'GET' || 'content-type' in headers) return null
  const query = [...queryOf(request)]
  const [name, text] = query[0] ?? []
  if (query.length === 0) return { path, type, input: undefined }
  return query.length === 1 && name === 'input' ? withInput({ path, type }, text) : null
}

function withInput(call: Pick<SingleCall, 'path' | 'type'>, text: string | undefined): SingleCall | null {
  if (text === undefined) return null
  try {
    return { ...call, input: JSON.parse(text) }
  } catch {
    return null
  }
}

/** The body that `readInput` has read. */
function bodyOf(request: IncomingMessage): string | undefined {
  return 'body' in request && typeof request.body === 'string' ? request.body : undefined
}

/**
 * Answers a single call without the `Request` and `Response` that tRPC builds for it, which take longer than most calls.
 * Input, rights, answers and errors are those of the procedure.
 */
export async function answerCall(
  outgoing: ServerResponse,
  { path, type, input }: SingleCall,
  { ctx, onError }: { ctx: CallContext; onError: CallErrorHandler },
): Promise<void> {
  const left = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort()
  })
  const getRawInput = () => Promise.resolve(input)
  try {
    const call = { router: appRouter, path, type, ctx, getRawInput, signal: left.signal, batchIndex: 0 }
    const data: unknown = await callTRPCProcedure(call)
    end(outgoing, 200, { result: { data } })
  } catch (cause) {
    const error: TRPCError = getTRPCErrorFromUnknown(cause)
    onError(error, path)
    const shape = getTRPCErrorShape({ config: appRouter._def._config, error, type, path, input, ctx })
    end(outgoing, getHTTPStatusCodeFromError(error), { error: shape })
  }
}

function end(outgoing: ServerResponse, status: number, answer: object): void {
  const text = JSON.stringify(answer)
  outgoing.writeHead(status, { ...HEAD, 'content-length': Buffer.byteLength(text) }).end(text)
}
