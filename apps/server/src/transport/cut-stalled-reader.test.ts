import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMemorySessionEvents } from '@palimpsest/core'
import type { SessionEvent } from '@palimpsest/core/domain'
import type { SessionEvents } from '@palimpsest/core/ports'
import { silentLogger } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { cutStalledReader } from './cut-stalled-reader.ts'

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const STALL_MS = 100
/** More bytes than the kernel buffers of a loopback connection. */
const MUCH = Buffer.alloc(32 * 1024 * 1024, 'x')

/** Two ends of a connection. */
async function openPair() {
  const server = createServer()
  const arrived = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  const reader = connect(address.port, '127.0.0.1').on('error', () => undefined)
  const [writer]: Socket[] = await arrived
  if (writer === undefined) throw new Error('Nothing connected')
  return {
    reader,
    writer,
    [Symbol.dispose]() {
      reader.destroy()
      writer.destroy()
      server.close()
    },
  }
}

test('LS-4 a reader that reads nothing of the waiting bytes is disconnected', async () => {
  using pair = await openPair()
  pair.reader.pause()
  cutStalledReader(pair.writer, STALL_MS)
  pair.writer.write(MUCH)
  await once(pair.writer, 'close')
})

test('LS-4 a reader that reads the waiting bytes gets everything', async () => {
  using pair = await openPair()
  cutStalledReader(pair.writer, 20_000)
  pair.writer.end(MUCH)
  let taken = 0
  for await (const data of pair.reader) taken += data.length
  expect(taken).toBe(MUCH.length)
})

test('LS-4 a connection without waiting bytes stays open', async () => {
  using pair = await openPair()
  cutStalledReader(pair.writer, STALL_MS)
  await once(pair.writer, 'timeout')
  await new Promise((resolve) => setImmediate(resolve))
  expect(pair.writer.destroyed).toBe(false)
  pair.writer.write('still there')
  expect(String((await once(pair.reader, 'data'))[0])).toBe('still there')
})

const EVENTS = `/trpc/session.events?input=${encodeURIComponent('{"sessionId":"a"}')}`
const REQUESTS = {
  'server-sent events': `GET ${EVENTS} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
  'a WebSocket':
    'GET /trpc HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
    'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
}

/** An unmasked text is masked with zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  return Buffer.concat([
    Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]),
    payload,
  ])
}

async function openSilent({ port }: TestServer, transport: keyof typeof REQUESTS): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(REQUESTS[transport])
  // The first bytes of the answer are all that it ever reads.
  await once(socket, 'readable')
  socket.read()
  const params = { path: 'session.events', input: { sessionId: 'a' } }
  if (transport === 'a WebSocket')
    socket.write(textFrame(JSON.stringify({ id: 1, method: 'subscription', params })))
  return socket
}

/** Session events of a process, and when the last listener of one session has left. */
function watchedEvents() {
  const events = createMemorySessionEvents({ logger: silentLogger })
  const state = { listening: false, left: false }
  const watched: SessionEvents = {
    publish: events.publish,
    subscribe(sessionId, listener) {
      const subscription = events.subscribe(sessionId, listener)
      if (sessionId !== null) state.listening = true
      return {
        [Symbol.dispose]() {
          subscription[Symbol.dispose]()
          if (sessionId !== null) state.left = true
        },
      }
    },
  }
  return { watched, state }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test.for(['server-sent events', 'a WebSocket'] as const)(
  'LS-4 a client of %s that never reads is disconnected, and holds a bounded number of bytes until then',
  async (transport) => {
    const { watched, state } = watchedEvents()
    await using server = await startTestServer({
      ports: { events: watched },
      settings: { readerStallMs: 500 },
    })
    await fetch(`${server.url}/trpc/session.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'a' }),
    })
    const silent = await openSilent(server, transport)
    while (!state.listening) await turn()
    const kept: WeakRef<SessionEvent>[] = []
    for (let count = 0; !state.left; count++) {
      const title = `${count}`.padEnd(50_000, 'x')
      const event: SessionEvent = { type: 'title', sessionId: 'a', title }
      watched.publish(event)
      kept.push(new WeakRef(event))
      if (count % 10 === 0) await turn()
    }
    expect(kept.length).toBeGreaterThan(100)
    silent.destroy()
    collectGarbage()
    expect(kept.filter((each) => each.deref() !== undefined).length).toBeLessThan(50)
  },
)
