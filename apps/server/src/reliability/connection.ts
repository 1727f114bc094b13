import { createTRPCClient, createWSClient, httpLink, splitLink, type TRPCClient, wsLink } from '@trpc/client'
import type { AppRouter } from '../routers/app-router.ts'

export type Connection = Disposable & { api: TRPCClient<AppRouter> }

/** A client of a server that may be killed: calls fail then, and subscriptions receive nothing more. */
export function connect(url: string): Connection {
  const socket = createWSClient({ url: `${url.replace(/^http/, 'ws')}/trpc` })
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: wsLink({ client: socket }),
        false: httpLink({ url: `${url}/trpc`, headers: { 'x-palimpsest-client': '1' } }),
      }),
    ],
  })
  // Closing waits for pending answers, and a killed server sends none.
  return { api, [Symbol.dispose]: () => void socket.close() }
}
