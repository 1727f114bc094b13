import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { refuseRequest } from './refusals/refuse-request.ts'
import { playReply } from './scripted-provider-play.ts'
import { failure, type ScriptedReply } from './scripted-provider-reply.ts'

/** A request as the provider received it; `body` is the parsed JSON. */
export type ProviderRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

/** How a connection ended, at this `performance.now()`; `provider` covers finished and cut replies. */
export type Closed = { by: 'client' | 'provider'; at: number }

export type Responder = ScriptedReply | ((request: ProviderRequest) => ScriptedReply)

/**
 * A model provider on a real port of 127.0.0.1 that answers as scripted and keeps every request. What the API of a
 * request's format refuses is refused here as well, with its error, and uses up no scripted reply.
 */
export interface ScriptedProvider extends AsyncDisposable {
  /** With `/v1`, as provider packages want it. */
  readonly baseURL: string
  /** Every POST so far, in order of arrival. */
  readonly requests: readonly ProviderRequest[]
  /** Queues replies: each is used once, in order. */
  script(...replies: Responder[]): void
  /** Answers requests beyond the queue; without it such a request gets a 500 with that reason. */
  otherwise(reply: Responder): void
  /** Asked before the queue; null leaves the request to it. Keeps titles and the like out of a script. */
  intercept(answer: (request: ProviderRequest) => ScriptedReply | null): void
  /** Resolves once request `index` (from 0) has arrived. */
  received(index: number): Promise<ProviderRequest>
  /** Resolves once the connection of request `index` (from 0) has ended. */
  closed(index: number): Promise<Closed>
}

type Exchange = {
  received: PromiseWithResolvers<ProviderRequest>
  closed: PromiseWithResolvers<Closed>
}

/** Starts one; `models` is what `GET /v1/models` lists. Ends with `await using`. */
export async function startScriptedProvider(
  options: { models?: readonly { id: string }[]; port?: number } = {},
): Promise<ScriptedProvider> {
  const requests: ProviderRequest[] = []
  const exchanges: Exchange[] = []
  const queue: Responder[] = []
  let intercept: (request: ProviderRequest) => ScriptedReply | null = () => null
  let otherwise: Responder = failure(500, 'Nothing is scripted for this request.')

  const exchange = (index: number): Exchange => {
    exchanges[index] ??= { received: Promise.withResolvers(), closed: Promise.withResolvers() }
    return exchanges[index]
  }
  const choose = (request: ProviderRequest): ScriptedReply => {
    const refused = refuseRequest(request)
    if (refused !== null) return refused
    const intercepted = intercept(request)
    if (intercepted !== null) return intercepted
    const next = queue.shift() ?? otherwise
    return typeof next === 'function' ? next(request) : next
  }
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET') return sendJson(response, { object: 'list', data: options.models ?? [] })
    const body = await json(incoming)
    const request: ProviderRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: isRecord(body) ? body : {},
    }
    const index = requests.push(request) - 1
    let cut = false
    response.once('close', () => {
      const by = cut || response.writableFinished ? 'provider' : 'client'
      exchange(index).closed.resolve({ by, at: performance.now() })
    })
    exchange(index).received.resolve(request)
    const chosen = choose(request)
    if (chosen.whole !== undefined && !request.body['stream']) return sendJson(response, chosen.whole())
    cut = (await playReply(response, chosen)) === 'cut'
    if (cut) response.destroy()
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...replies) => void queue.push(...replies),
    otherwise: (reply) => {
      otherwise = reply
    },
    intercept: (decide) => {
      intercept = decide
    },
    received: (index) => exchange(index).received.promise,
    closed: (index) => exchange(index).closed.promise,
    [Symbol.asyncDispose]: async () => {
      const ended = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await ended
    },
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
