import { once } from 'node:events'
import { connect } from 'node:net'

/** Server-sent events or a WebSocket. */
export type Transport = 'sse' | 'ws'

/** A viewer that requests a run's stream and never reads a byte of it. */
export async function silentViewer(
  url: string,
  run: { sessionId: string; runId: string },
  transport: Transport,
): Promise<Disposable> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  if (transport === 'sse') {
    const input = encodeURIComponent(JSON.stringify(run))
    socket.write(`GET /trpc/session.stream?input=${input} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  } else {
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13'
    const head = `host: ${host}\r\nupgrade: websocket\r\nconnection: upgrade\r\n${key}`
    socket.write(`GET /trpc HTTP/1.1\r\n${head}\r\n\r\n`)
    const params = { path: 'session.stream', input: run }
    socket.write(textFrame(JSON.stringify({ id: 1, method: 'subscription', params })))
  }
  return { [Symbol.dispose]: () => void socket.destroy() }
}

/** A WebSocket frame of at most 64 kB as a client sends it; its mask of zeros leaves the text as it is. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const length = [0x80 | 126, payload.length >> 8, payload.length & 0xff]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload])
}
