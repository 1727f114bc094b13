import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { LIMITS } from '@palimpsest/core/domain'
import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { drained } from '../drained.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { appRouter } from '../routers/app-router.ts'
import { chooseSubprotocol } from '../security/authenticate.ts'
import type { CallContext } from '../trpc/context.ts'
import { cutStalledReader } from './cut-stalled-reader.ts'
import type { CallErrorHandler } from './report-call-error.ts'
import { createSocketEncoder } from './socket-encoder.ts'
import { isFull } from './socket-outlet.ts'

/** Milliseconds of silence before a ping, and to wait for its answer. */
const KEEP_ALIVE = { enabled: true, pingMs: 15_000, pongWaitMs: 15_000 }
/** Close code: the server stops, the client reconnects. */
const GOING_AWAY = 1001

export interface TrpcSockets {
  /** Accepts a checked upgrade. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** The number of open sockets. */
  readonly size: number
  /** Closes every socket with a close frame; those that do not answer are terminated. */
  close(): void
}

/** Serves calls and subscriptions on WebSockets, many on each. */
export function createTrpcSockets(deps: {
  createContext(request: IncomingMessage): CallContext
  onError: CallErrorHandler
  /** See `SERVER_LIMITS.readerStallMs`. */
  readerStallMs: number
}): TrpcSockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.requestBytes,
    perMessageDeflate: false,
    handleProtocols: chooseSubprotocol,
  })
  server.on('connection', (client, request) => {
    const serve = getWSConnectionHandler({
      wss: server,
      router: appRouter,
      keepAlive: KEEP_ALIVE,
      maxBatchSize: SERVER_LIMITS.callsPerMessage,
      experimental_encoder: createSocketEncoder(client),
      createContext: ({ req }) => deps.createContext(req),
      onError: ({ error, path }) => deps.onError(error, path),
    })
    serve(client, request)
  })

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (client) => {
        pauseUnread(client, request.socket)
        cutStalledReader(request.socket, deps.readerStallMs)
        server.emit('connection', client, request)
      })
    },
    get size() {
      return server.clients.size
    },
    close() {
      for (const client of server.clients) {
        client.close(GOING_AWAY, 'The server is going away.')
        setTimeout(() => client.terminate(), 500).unref()
      }
      server.close()
    },
  }
}

/** Reads no further calls from a client that doesn't read its answers. */
function pauseUnread(client: WebSocket, socket: Socket): void {
  client.on('message', () => {
    if (client.isPaused || !isFull(socket)) return
    client.pause()
    void drained(socket).then(() => client.resume())
  })
}
