import { get, type IncomingMessage } from 'node:http'
import { createMemoryLiveStreams, systemClock } from '@palimpsest/core'
import type { ChatChunk } from '@palimpsest/core/domain'
import type { LiveStreams } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SERVER_LIMITS } from '../limits.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

const ARRAYS = 400
const ARRAY_CHARACTERS = 100_000
/** Bytes that the kernels may buffer for a loopback connection. */
const KERNEL_BYTES = 16 * 1024 * 1024
const INPUT = { sessionId: 'chat', runId: 'run' }

test('LS-4 a viewer that stops reading its socket costs bounded memory and still gets everything', async () => {
  const live = longRun()
  await using server = await startViewed(live.streams)
  const slow = await openSocket(server)
  slow.pause()
  const fast = await openSocket(server)
  expect(await charactersOf(fast)).toBe(ARRAYS * ARRAY_CHARACTERS)
  expect(Math.min(...live.pulled) * ARRAY_CHARACTERS).toBeLessThan(
    KERNEL_BYTES + 2 * SERVER_LIMITS.unsentBytes,
  )
  const rest = charactersOf(slow)
  slow.resume()
  expect(await rest).toBe(ARRAYS * ARRAY_CHARACTERS)
})

test('LS-4 a viewer that stops reading its events costs bounded memory and still gets everything', async () => {
  const live = longRun()
  await using server = await startViewed(live.streams)
  const slow = await openEvents(server)
  slow.pause()
  expect(await bytesOf(await openEvents(server))).toBeGreaterThan(ARRAYS * ARRAY_CHARACTERS)
  expect(Math.min(...live.pulled) * ARRAY_CHARACTERS).toBeLessThan(
    KERNEL_BYTES + 2 * SERVER_LIMITS.unsentBytes,
  )
  slow.resume()
  expect(await bytesOf(slow)).toBeGreaterThan(ARRAYS * ARRAY_CHARACTERS)
})

test('LS-4 a viewer that disconnects while its stream waits for it is released', async () => {
  const live = longRun()
  await using server = await startViewed(live.streams)
  const slow = await openSocket(server)
  slow.pause()
  await charactersOf(await openSocket(server))
  slow.terminate()
  await live.left
  expect(Math.min(...live.pulled)).toBeLessThan(ARRAYS)
})

test.for(['a socket', 'events'])(
  'LS-4 LS-2 a viewer that attaches late gets a large reply whole over %s, in frames of bounded size',
  async (transport) => {
    await using server = await startViewed(createMemoryLiveStreams({ clock: systemClock }))
    const writer = server.ports.live.open(INPUT)
    const text = 'Grüße, 😀 "wörld"\n'.repeat(100_000)
    writer.append([
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: text },
    ])
    writer.append([{ type: 'text-end', id: 't' }, { type: 'finish' }])
    writer.end()
    const frames: string[] = []
    if (transport === 'a socket') {
      const socket = await openSocket(server)
      await new Promise<void>((resolve) => {
        socket.on('message', (data) => {
          if (String(data).includes('"type":"data"'))
            frames.push(JSON.stringify(JSON.parse(String(data)).result.data))
          if (String(data).includes('"type":"stopped"')) resolve()
        })
      })
      socket.terminate()
    } else {
      const body = await (await fetch(`${server.url}${eventsPath()}`)).text()
      for (const [, data = ''] of body.matchAll(/^data: (\[.*\])$/gm)) frames.push(data)
    }
    expect(
      frames
        .flatMap((frame) => JSON.parse(frame))
        .map(({ delta }) => delta ?? '')
        .join(''),
    ).toBe(text)
    expect(Math.max(...frames.map((frame) => Buffer.byteLength(frame)))).toBeLessThanOrEqual(65_536)
  },
)

test('SX-6 one socket carries a bounded number of subscriptions', async () => {
  await using server = await startTestServer()
  const socket = await open(server)
  const ids = Array.from({ length: SERVER_LIMITS.subscriptionsPerSocket + 1 }, (_, index) => index + 1)
  const call = (id: number) => ({ id, method: 'subscription', params: { path: 'session.events', input: {} } })
  const refused = new Promise<{ id: number; error: { data: { appCode: string } } }>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if ('error' in message) resolve(message)
    })
  })
  for (const id of ids) socket.send(JSON.stringify(call(id)))
  expect(await refused).toMatchObject({ id: ids.at(-1), error: { data: { appCode: 'RATE_LIMITED' } } })
  socket.terminate()
})

/** A finished run of 40 MB; `pulled` counts the arrays that each viewer has read. */
function longRun() {
  const pulled: number[] = []
  const left = Promise.withResolvers<void>()
  async function* read(): AsyncGenerator<ChatChunk[]> {
    const viewer = pulled.push(0) - 1
    try {
      for (let index = 0; index < ARRAYS; index++) {
        pulled[viewer] = index + 1
        yield [{ type: 'text-delta', id: '1', delta: 'x'.repeat(ARRAY_CHARACTERS) }]
      }
    } finally {
      if (pulled[viewer] !== ARRAYS) left.resolve()
    }
  }
  const streams: LiveStreams = {
    ...createMemoryLiveStreams({ clock: systemClock }),
    read,
    sessionOf: async () => INPUT.sessionId,
  }
  return { streams, pulled, left: left.promise }
}

async function startViewed(live: LiveStreams): Promise<TestServer> {
  const server = await startTestServer({ ports: { live } })
  const created = await fetch(`${server.url}/trpc/session.create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: INPUT.sessionId }),
  })
  expect(created.status).toBe(200)
  return server
}

async function open(server: TestServer): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc`)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  return socket
}

async function openSocket(server: TestServer): Promise<WebSocket> {
  const socket = await open(server)
  socket.send(
    JSON.stringify({ id: 1, method: 'subscription', params: { path: 'session.stream', input: INPUT } }),
  )
  return socket
}

function charactersOf(socket: WebSocket): Promise<number> {
  let characters = 0
  return new Promise((resolve, reject) => {
    socket.on('error', reject).on('message', (data) => {
      const { result } = JSON.parse(String(data))
      for (const { delta } of result.data ?? []) characters += delta.length
      if (result.type !== 'stopped') return
      socket.terminate()
      resolve(characters)
    })
  })
}

function eventsPath(): string {
  return `/trpc/session.stream?input=${encodeURIComponent(JSON.stringify(INPUT))}`
}

function openEvents(server: TestServer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path: eventsPath(), agent: false }, resolve).on(
      'error',
      reject,
    )
  })
}

async function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const data of response) bytes += data.length
  return bytes
}
