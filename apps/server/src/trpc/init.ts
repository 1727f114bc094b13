import { initTRPC } from '@trpc/server'
import type { CallContext } from './context.ts'
import { toTrpcError, toWireError } from './errors.ts'

/** Milliseconds between signs of life on an SSE stream; proxies cut what is silent for long. */
const SSE_PING_MS = 15_000

const trpc = initTRPC.context<CallContext>().create({
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: SSE_PING_MS } },
  errorFormatter({ shape, error }) {
    const known = toWireError(error)
    const { code, httpStatus } = shape.data
    const field = known.field === undefined ? {} : { field: known.field }
    return {
      code: shape.code,
      message: known.message,
      data: { code, httpStatus, appCode: known.code, ...field },
    }
  },
})

const translated = trpc.middleware(async ({ ctx, next }) => {
  await ctx.admit()
  const result = await next()
  if (!result.ok && result.error.code === 'INTERNAL_SERVER_ERROR') throw toTrpcError(result.error.cause)
  return result
})

export const { router } = trpc
export const createCaller = trpc.createCallerFactory

/** Every procedure is made of this one: rights and rate are checked on each call, and errors are the core's. */
export const procedure = trpc.procedure.use(translated)
