/** Whether the server can be reached: `offline` when the browser itself has no network. */
export type Connection = 'connecting' | 'online' | 'reconnecting' | 'offline'

export type ConnectionEvent = 'opened' | 'lost' | 'network-gone' | 'network-back'

/** Total. A first connection that is still being made is no loss, and has nothing to say. */
export function nextConnection(connection: Connection, event: ConnectionEvent): Connection {
  switch (event) {
    case 'opened':
      return 'online'
    case 'network-gone':
      return 'offline'
    case 'network-back':
      return connection === 'offline' ? 'reconnecting' : connection
    case 'lost':
      return connection === 'offline' ? 'offline' : 'reconnecting'
  }
}
