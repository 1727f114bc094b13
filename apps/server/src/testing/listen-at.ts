import { createServer } from 'node:net'

/** A server that accepts connections at a port, 0 for a free one, or at the path of a socket, until it is disposed. */
export async function listenAt(place: number | string): Promise<Disposable & { port: number }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.dispose]: () => void server.close(),
  }
}
