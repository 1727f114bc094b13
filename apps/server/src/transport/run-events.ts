import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChatChunk } from '@palimpsest/core/domain'
import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape } from '@trpc/server'
import { drained } from '../drained.ts'
import { appRouter } from '../routers/app-router.ts'
import { pathOf, queryOf } from '../security/guard.ts'
import type { CallContext } from '../trpc/context.ts'
import { SSE_PING_MS } from '../trpc/init.ts'
import { cutStalledReader } from './cut-stalled-reader.ts'
import type { CallErrorHandler } from './report-call-error.ts'

/** How long an SSE client waits before it reconnects; without it browsers take 3 s. */
export const SSE_RETRY = 'retry: 500\n\n'

/** The head and the events as tRPC writes them, which both its clients and plain programs read. */
const HEAD = {
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'content-type': 'text/event-stream',
  vary: 'trpc-accept, accept',
  'x-accel-buffering': 'no',
}
const CONNECTED = eventOf('connected', '{}')
const PING = eventOf('ping', '')
const RETURN = eventOf('return', '')

const PATH = 'session.stream'
/** Headers with which tRPC answers a call in another way. */
const SPECIAL_HEADERS = ['trpc-accept', 'last-event-id', 'content-type']

/**
 * The input of a request that does nothing but read `session.stream` as server-sent events; null for every other request,
 * which is left to tRPC: batches, other methods and headers, and input that is not JSON.
 */
export function runEventsInput(request: IncomingMessage): { input: unknown } | null {
  const { method, headers } = request
  if (method !== 'GET' || pathOf(request) !== `/trpc/${PATH}`) return null
  if (SPECIAL_HEADERS.some((name) => name in headers) || headers.accept?.includes('jsonl')) return null
  const query = [...queryOf(request)]
  const [name, text] = query[0] ?? []
  if (query.length !== 1 || name !== 'input' || text === undefined) return null
  try {
    return { input: JSON.parse(text) }
  } catch {
    return null
  }
}

/**
 * Answers with the chunks of a run, written straight to the response: tRPC's own stream takes three times as long for each
 * event and viewer. Input, rights and errors are those of the procedure.
 */
export async function sendRunEvents(
  outgoing: ServerResponse,
  input: unknown,
  deps: { ctx: CallContext; onError: CallErrorHandler; readerStallMs: number },
): Promise<void> {
  const { ctx } = deps
  const left = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort()
  })
  outgoing.writeHead(200, HEAD).write(SSE_RETRY + CONNECTED)
  cutStalledReader(outgoing, deps.readerStallMs)
  const ping = setInterval(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(PING)
  }, SSE_PING_MS)
  try {
    const slices: AsyncIterable<ChatChunk[]> = await callTRPCProcedure({
      router: appRouter,
      path: PATH,
      type: 'subscription',
      ctx,
      getRawInput: () => Promise.resolve(input),
      signal: left.signal,
      batchIndex: 0,
    })
    for await (const chunks of slices) {
      if (!outgoing.write(frameOf(chunks))) await drained(outgoing)
      if (outgoing.destroyed) return
      ping.refresh()
    }
    if (!left.signal.aborted) outgoing.end(RETURN)
  } catch (cause) {
    if (left.signal.aborted) return
    const error = getTRPCErrorFromUnknown(cause)
    deps.onError(error, PATH)
    const config = appRouter._def._config
    const shape = getTRPCErrorShape({ config, error, type: 'subscription', path: PATH, input, ctx })
    outgoing.end(eventOf('serialized-error', JSON.stringify(shape)))
  } finally {
    clearInterval(ping)
  }
}

/** Readers at the same position of a run get the same array: it is serialised once for all of them. */
const frames = new WeakMap<ChatChunk[], Buffer>()

function frameOf(chunks: ChatChunk[]): Buffer {
  const known = frames.get(chunks)
  if (known !== undefined) return known
  const frame = Buffer.from(`data: ${JSON.stringify(chunks)}\n\n\n`)
  frames.set(chunks, frame)
  return frame
}

function eventOf(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n\n`
}
