import type { ChatMessage } from '@palimpsest/core/domain'
import { createTRPCClient, createWSClient, httpLink, splitLink, type TRPCClient, wsLink } from '@trpc/client'
import type { AppRouter } from '../routers/app-router.ts'
import type { Host } from './host.ts'

export type Connection = Disposable & { api: TRPCClient<AppRouter> }

/** A client of a server that may be killed: calls fail then, and subscriptions fall silent. */
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
  // Closing waits for answers, and the dead give none.
  return { api, [Symbol.dispose]: () => void socket.close() }
}

/** The server at the other end, as a host to be asked. On the wire, messages have the types of their JSON. */
export function remoteHost({ api }: Connection): Host {
  return {
    state: async (sessionId) => (await api.session.status.query({ sessionId })).state,
    async page(sessionId, cursor) {
      const query = { sessionId, limit: 200, hidden: true, ...(cursor !== null && { cursor }) }
      const { items, nextCursor } = await api.session.messages.query(query)
      return { items: items as ChatMessage[], nextCursor }
    },
    queue: async (sessionId) => (await api.queue.list.query({ sessionId })) as ChatMessage[],
  }
}
