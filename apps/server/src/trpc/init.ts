import type { ErrorCode } from '@palimpsest/core/domain'
import { type TRPCDefaultErrorShape as DefaultErrorShape, initTRPC, type TRPCError } from '@trpc/server'
import type { CallContext } from './context.ts'
import { toTrpcError, toWireError } from './errors.ts'

/** Milliseconds between pings on an SSE stream; proxies close idle connections. */
export const SSE_PING_MS = 15_000

const trpc = initTRPC.context<CallContext>().create({
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: SSE_PING_MS } },
  errorFormatter: ({ shape, error }) => ({ code: shape.code, ...wireShape(shape, error) }),
})

type WireData = {
  code: TRPCError['code']
  httpStatus: number
  appCode: ErrorCode
  /** Path of the input field at fault. */
  field?: string
}

/** The part of an error that reaches the caller: no stack, no path, no cause. */
function wireShape({ data }: DefaultErrorShape, error: TRPCError): { message: string; data: WireData } {
  const { code, message, field } = toWireError(error)
  const wire: WireData = { code: data.code, httpStatus: data.httpStatus, appCode: code }
  return { message, data: field === undefined ? wire : { ...wire, field } }
}

const translated = trpc.middleware(async ({ ctx, next }) => {
  await ctx.admit()
  const result = await next()
  if (!result.ok && result.error.code === 'INTERNAL_SERVER_ERROR') throw toTrpcError(result.error.cause)
  return result
})

export const { router } = trpc

/** The base of every procedure: checks rights and rate on each call, and maps errors of the core. */
export const procedure = trpc.procedure.use(translated)
