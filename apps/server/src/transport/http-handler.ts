import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIMITS } from '@palimpsest/core/domain'
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import { resolveResponse } from '@trpc/server/http'
import { drained } from '../drained.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { appRouter } from '../routers/app-router.ts'
import type { CallContext } from '../trpc/context.ts'
import { cutStalledReader } from './cut-stalled-reader.ts'
import { readInput } from './read-input.ts'
import type { CallErrorHandler } from './report-call-error.ts'
import { runEventsInput, SSE_RETRY, sendRunEvents } from './run-events.ts'
import { answerCall, singleCallOf } from './single-call.ts'

export type TrpcHttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Answers calls under `/trpc/`: queries, mutations, and subscriptions as server-sent events. */
export function createTrpcHttpHandler(deps: {
  createContext(request: IncomingMessage): CallContext
  onError: CallErrorHandler
  /** See `SERVER_LIMITS.readerStallMs`. */
  readerStallMs: number
}): TrpcHttpHandler {
  return async (incoming, outgoing) => {
    await readInput(incoming)
    const read = runEventsInput(incoming)
    if (read !== null)
      return await sendRunEvents(outgoing, read.input, { ...deps, ctx: deps.createContext(incoming) })
    const single = singleCallOf(incoming)
    if (single !== null) {
      cutStalledReader(outgoing, deps.readerStallMs)
      return await answerCall(outgoing, single, { ...deps, ctx: deps.createContext(incoming) })
    }
    const request = incomingMessageToRequest(incoming, outgoing, { maxBodySize: LIMITS.requestBytes })
    const answer = await resolveResponse({
      router: appRouter,
      req: request,
      path: new URL(request.url).pathname.slice('/trpc/'.length),
      error: null,
      maxBatchSize: SERVER_LIMITS.callsPerRequest,
      createContext: () => Promise.resolve(deps.createContext(incoming)),
      onError: ({ error, path }) => deps.onError(error, path),
    })
    outgoing.writeHead(answer.status, { 'cache-control': 'no-store', ...headersOf(answer) })
    if (answer.headers.get('content-type') === 'text/event-stream') outgoing.write(SSE_RETRY)
    if (answer.body === null) {
      outgoing.end()
      return
    }
    cutStalledReader(outgoing, deps.readerStallMs)
    await send(answer.body, outgoing)
  }
}

/** Of a request that it cannot even take apart, tRPC says in JSON what is wrong with it, and calls that text. */
function headersOf({ headers, ok }: Response): Record<string, string> {
  const isNamed = ok || headers.get('content-type') === 'application/json'
  return { ...Object.fromEntries(headers), ...(!isNamed && { 'content-type': 'application/json' }) }
}

/** Writes as fast as the reader reads; a reader that disconnects ends the source of the body. */
async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader()
  outgoing.once('close', () => void reader.cancel().catch(() => undefined))
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!outgoing.write(next.value)) await drained(outgoing)
  }
  outgoing.end()
}
