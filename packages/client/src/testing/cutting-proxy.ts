import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy whose connections can be cut at any moment. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
  /** Cuts every open connection. */
  cut(): void
  /** Cuts all connections and accepts none until the returned function is called. */
  close(): () => void
}

/** Listens on a free port and forwards to the server on `port`. */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let open = true
  const server = createServer((near) => {
    if (!open) {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
      socket.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  function cut() {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    close() {
      open = false
      cut()
      return () => {
        open = true
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
