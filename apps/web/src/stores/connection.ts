/** Whether the server can be reached: `offline` when the browser itself has no network. */
export type Connection = 'connecting' | 'online' | 'reconnecting' | 'offline'

/** What is known of the two things that a connection needs. They come and go apart from each other. */
export type ConnectionFacts = {
  readonly socket: 'not-yet' | 'open' | 'lost'
  readonly network: boolean
}

export type ConnectionEvent = 'opened' | 'lost' | 'network-gone' | 'network-back'

export const NOT_CONNECTED: ConnectionFacts = { socket: 'not-yet', network: true }

/** Total. A message on the socket proves that there is a network, also while `navigator.onLine` is false. */
export function learnOfConnection(facts: ConnectionFacts, event: ConnectionEvent): ConnectionFacts {
  switch (event) {
    case 'opened':
      return { socket: 'open', network: true }
    case 'lost':
      return { ...facts, socket: 'lost' }
    case 'network-gone':
      return { ...facts, network: false }
    case 'network-back':
      return { ...facts, network: true }
  }
}

/** The connection's state as it is shown. A first connection that is still being made is not shown as lost. */
export function connectionOf({ socket, network }: ConnectionFacts): Connection {
  if (!network) return 'offline'
  return ({ 'not-yet': 'connecting', open: 'online', lost: 'reconnecting' } as const)[socket]
}
