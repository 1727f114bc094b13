import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Client } from '@palimpsest/client'
import type { ChatChunk } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import type { Child } from '../processes/child.ts'
import { fromPrompt } from '../script.ts'
import { createBareTarget } from './bare-target.ts'
import { readRun } from './our-target.ts'
import { createPeerTarget } from './peer-target.ts'
import { silentViewer } from './silent-viewer.ts'

const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`

/** A server in place of bare's, which answers each request with these pieces, one write each. */
async function openBare(pieces: readonly (string | Buffer)[]) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve))
    response.end()
  })
  const { child } = await listenOn(server)
  const target = createBareTarget(child)
  return { target, bodies, [Symbol.asyncDispose]: () => target[Symbol.asyncDispose]() }
}

/** A server of this process as a child. Closing it twice is allowed. */
async function listenOn(server: Server): Promise<{ child: Child } & AsyncDisposable> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  async function close() {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const url = `http://127.0.0.1:${port}`
  const child = {
    url,
    rss: () => null,
    privateBytes: () => null,
    cpuMs: () => null,
    [Symbol.asyncDispose]: close,
  }
  return { child, [Symbol.asyncDispose]: close }
}

const SCRIPT = { deltas: 3, everyMs: 2 }

test('PF-1 bare receives the same script, and its deltas are read in order, however they were split', async () => {
  const whole = [
    event({ type: 'start' }),
    event({ type: 'text-delta', id: '1', delta: 'eins ' }),
    event({ type: 'text-delta', id: '1', delta: 'zwölf ' }),
    event({ type: 'reasoning-delta', id: '2', delta: 'unheard' }),
    event({ type: 'text-delta', id: '1', delta: 'drei' }),
    'data: [DONE]\n\n',
  ].join('')
  const bytes = Buffer.from(whole)
  // Split in two at every byte, in the middle of its ö too.
  for (let at = 20; at < bytes.length; at += 13) {
    await using bare = await openBare([bytes.subarray(0, at), bytes.subarray(at)])
    const conversation = await bare.target.open()
    const heard: string[] = []
    await conversation.ask(SCRIPT, (delta) => heard.push(delta))
    expect(heard).toEqual(['eins ', 'zwölf ', 'drei'])
    expect(bare.bodies.map(fromPrompt)).toEqual([SCRIPT])
  }
})

test('PF-1 an error of bare fails the benchmark', async () => {
  await using bare = await openBare([event({ type: 'error', errorText: 'The provider is gone' })])
  const conversation = await bare.target.open()
  await expect(conversation.ask(SCRIPT, () => undefined)).rejects.toThrow('The provider is gone')
})

type Observer = {
  onStarted?(): void
  onData(chunks: ChatChunk[]): void
  onComplete(): void
}

/** A client whose stream a test fills. */
function fakeClient() {
  const observers: Observer[] = []
  let subscribed = 0
  const subscribe = (_input: unknown, observer: Observer) => {
    observers.push(observer)
    subscribed += 1
    return { unsubscribe: () => (subscribed -= 1) }
  }
  // Reading a run calls nothing else.
  const client = { session: { stream: { subscribe } } } as unknown as Client
  return {
    client,
    publish(...chunks: ChatChunk[]) {
      for (const observer of observers) observer.onData(chunks)
    },
    begin: () => observers.forEach((observer) => void observer.onStarted?.()),
    complete: () => observers.forEach((observer) => void observer.onComplete()),
    get subscribed() {
      return subscribed
    },
  }
}

const RUN = { sessionId: 's', runId: 'r' }
const delta = (words: string): ChatChunk => ({ type: 'text-delta', id: '1', delta: words })

test('PF-2 a run of ours is read to its end, text alone', async () => {
  const server = fakeClient()
  let heard = ''
  const reading = readRun(server.client, RUN, (words) => {
    heard += words
  })
  server.begin()
  server.publish({ type: 'start' }, { type: 'text-start', id: '1' }, delta('one '), delta('two '))
  server.publish(delta('three'), { type: 'text-end', id: '1' }, { type: 'finish' })
  server.complete()
  await reading
  expect(heard).toBe('one two three')
  expect(server.subscribed).toBe(0)
})

test('PF-2 a run that fails, and one that never ends, fail the benchmark', async () => {
  const failed = fakeClient()
  const failing = readRun(failed.client, RUN, () => undefined)
  failed.begin()
  failed.publish(delta('one '), { type: 'error', errorText: 'The provider failed' })
  await expect(failing).rejects.toThrow('The provider failed')

  const cut = fakeClient()
  const breaking = readRun(cut.client, RUN, () => undefined)
  cut.begin()
  cut.publish(delta('one '))
  cut.complete()
  await expect(breaking).rejects.toThrow('broke off')
})

test('PF-4 a viewer that has received enough detaches, and receives no more', async () => {
  const server = fakeClient()
  const enough = new AbortController()
  const heard: string[] = []
  const reading = readRun(
    server.client,
    RUN,
    (words) => {
      heard.push(words)
      if (heard.length === 2) enough.abort()
    },
    enough.signal,
  )
  server.begin()
  server.publish(delta('one '))
  server.publish(delta('two '))
  await reading
  server.publish(delta('three '))
  expect(heard).toEqual(['one ', 'two '])
  expect(server.subscribed).toBe(0)
})

test('PF-10 the peer is called by its own interface, and the text of each session goes to its own conversation', async () => {
  const { promise: listening, resolve } = Promise.withResolvers<ServerResponse>()
  let sessions = 0
  const server = createServer(async (request, response) => {
    await text(request)
    if (request.url === '/event') {
      response.writeHead(200).flushHeaders()
      return resolve(response)
    }
    if (request.url === '/session') return response.end(JSON.stringify({ id: `s${++sessions}` }))
    const [, sessionID = ''] = /^\/session\/(\w+)\/prompt_async$/.exec(request.url ?? '') ?? []
    response.writeHead(204).end()
    const events = await listening
    const say = (type: string, properties: object) =>
      events.write(event({ type, properties: { sessionID, ...properties } }))
    say('message.part.delta', { field: 'text', delta: `to ${sessionID}` })
    say('session.status', { status: { type: 'idle' } })
  })
  await using listener = await listenOn(server)
  await using target = createPeerTarget(listener.child)
  const [one, two] = [await target.open(), await target.open()]
  const heard: string[] = []
  await Promise.all([one, two].map((each) => each.ask(SCRIPT, (words) => heard.push(words))))
  expect(heard.toSorted()).toEqual(['to s1', 'to s2'])
})

test.for([
  ['sse', /^GET \/trpc\/session\.stream\?input=\S*run_1\S* HTTP\/1\.1\r\n/],
  ['ws', /^GET \/trpc HTTP\/1\.1\r\n[\s\S]*upgrade: websocket[\s\S]*"path":"session\.stream"[\s\S]*run_1/],
] as const)('PF-4 a silent viewer over %s requests the run and reads nothing', async ([transport, asked]) => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const arrived: Promise<Socket[]> = once(server, 'connection')
  const viewing = silentViewer(`http://127.0.0.1:${port}`, { sessionId: 's', runId: 'run_1' }, transport)
  const [socket] = await arrived
  if (socket === undefined) throw new Error('Nobody came')
  let heard = ''
  socket.on('error', () => undefined)
  for await (const data of socket) {
    heard += data
    if (asked.test(heard)) break
  }
  expect(heard).toMatch(asked)
  ;(await viewing)[Symbol.dispose]()
  server.close()
})
