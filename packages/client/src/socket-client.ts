import type { AppRouter } from '@palimpsest/server'
import { createTRPCClient, createWSClient, httpLink, splitLink, wsLink } from '@trpc/client'
import type { Api } from './api.ts'
import type { Subscriptions } from './over-events.ts'
import { socketWithToken } from './socket-with-token.ts'

export type SocketClientOptions = {
  /** Where the server is, such as `http://localhost:3000`. */
  url: string
  token?: string
}

/** The typed client of a server. Ends with `await using`, or by `dispose`. */
export type Client = Api & AsyncDisposable & { dispose(): Promise<void> }

/** Milliseconds that an unused socket stays open. */
const IDLE_SOCKET_MS = 60_000
const KEEP_ALIVE = { enabled: true, intervalMs: 15_000, pongTimeoutMs: 10_000 }
const MAX_RECONNECT_MS = 5000

/** `createClient` over a WebSocket alone: a page that needs no other way does not load one. */
export function createSocketClient({ url, token }: SocketClientOptions): Client {
  return connect({ url, token }, (endpoint) => overSocket(endpoint, token))
}

/** A client whose subscriptions come as `subscribe` says. */
export function connect(
  { url, token }: { url: string; token: string | undefined },
  subscribe: (endpoint: string, headers: Record<string, string>) => Subscriptions,
): Client {
  const endpoint = endpointOf(url)
  const headers = {
    'x-palimpsest-client': '1',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const subscriptions = subscribe(endpoint, headers)
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: subscriptions.link,
        false: httpLink({ url: endpoint, headers }),
      }),
    ],
    // See ApiRouter: only the types differ.
  }) as unknown as Api
  return withDispose(api, subscriptions.close)
}

/** Where calls go, whether or not the address says so. */
function endpointOf(url: string): string {
  if (!/^https?:\/\/[^/]/i.test(url)) {
    throw new TypeError(`A server is at an address such as http://localhost:3000, not at "${url}".`)
  }
  const address = new URL(url)
  address.pathname = address.pathname.replace(/\/*(\/trpc)?\/*$/, '/trpc')
  address.search = ''
  address.hash = ''
  return address.href
}

function overSocket(endpoint: string, token: string | undefined): Subscriptions {
  const client = createWSClient({
    url: endpoint.replace(/^http/, 'ws'),
    lazy: { enabled: true, closeMs: IDLE_SOCKET_MS },
    keepAlive: KEEP_ALIVE,
    retryDelayMs: reconnectDelay,
    ...(token !== undefined && { WebSocket: socketWithToken(token) }),
  })
  return { link: wsLink({ client }), close: () => client.close() }
}

/** Milliseconds before reconnect number `attempt`: at once, then doubling from a quarter of a second, spread by a fifth. */
function reconnectDelay(attempt: number): number {
  if (attempt === 0) return 0
  return Math.min(125 * 2 ** attempt, MAX_RECONNECT_MS) * (0.9 + Math.random() * 0.2)
}

function withDispose(api: Api, dispose: () => Promise<void>): Client {
  const own: Record<PropertyKey, unknown> = { dispose, [Symbol.asyncDispose]: dispose }
  // A tRPC client answers to every name, so that ours are looked up first.
  return new Proxy(api, {
    get: (target, name) => own[name] ?? Reflect.get(target, name),
  }) as Client
}
