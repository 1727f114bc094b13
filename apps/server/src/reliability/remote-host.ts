import type { ChatMessage } from '@palimpsest/core/domain'
import type { Connection } from './connection.ts'
import type { Host } from './host.ts'

/** A server as the `Host` of a test. On the wire, messages have the types of their JSON. */
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
