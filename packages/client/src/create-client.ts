import { overEvents } from './over-events.ts'
import { type Client, connect, createSocketClient, type SocketClientOptions } from './socket-client.ts'

export type ClientOptions = SocketClientOptions & {
  /** How subscriptions come: over one WebSocket (the default), or as server-sent events where sockets can't pass. */
  transport?: 'ws' | 'sse'
}

/**
 * Connects to a server. Nothing is sent before the first call; lost connections come back by themselves. Throws a
 * `TypeError` when `url` is no address of a server.
 */
export function createClient({ transport = 'ws', ...options }: ClientOptions): Client {
  return transport === 'ws'
    ? createSocketClient(options)
    : connect({ url: options.url, token: options.token }, overEvents)
}
