import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AppError } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { SERVER_LIMITS } from './limits.ts'
import { createLogSecrets } from './observe/log-secrets.ts'
import { createLogger } from './observe/logger.ts'
import { toRefusal } from './refusal.ts'
import { startTestServer, type TestServer } from './testing/index.ts'

const LOCAL = 'Host: 127.0.0.1'

/** Everything that a server sends for these bytes until it closes; it has to, unless the caller does first. */
async function say(server: TestServer, ...bytes: string[]): Promise<string> {
  const socket = await open(server)
  for (const piece of bytes) socket.write(piece)
  return await text(socket)
}

async function open({ port }: TestServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const lines = (...all: string[]) => `${[...all, '', ''].join('\r\n')}`

/** Status, headers and body of the one answer in a server's output. */
function answerIn(said: string) {
  const [head = '', body = ''] = said.split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head: head.toLowerCase(),
    error: body.startsWith('{') ? JSON.parse(body).error : null,
  }
}

test.each([
  ['words that are none', 'hello there\r\n\r\n'],
  ['a request line of another protocol', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
  ['a header with no name', lines('GET / HTTP/1.1', LOCAL, ': nothing')],
  [
    'two lengths of one body',
    lines('POST /trpc/session.create HTTP/1.1', LOCAL, 'Content-Length: 2', 'Content-Length: 4'),
  ],
  [
    'a length beside chunks, which smuggles a request past a proxy',
    lines('POST /trpc/session.create HTTP/1.1', LOCAL, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
  ],
])('RL-7 %s: 400, typed, and the connection ends', async (_what, bytes) => {
  await using server = await startTestServer()
  const { status, head, error } = answerIn(await say(server, bytes))
  expect([status, error.data]).toMatchObject([400, { appCode: 'INVALID_INPUT', field: 'headers' }])
  expect(head).toContain('connection: close')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('AP-4 endless headers are refused by their size', async () => {
  await using server = await startTestServer()
  const said = await say(server, `GET /healthz HTTP/1.1\r\n${LOCAL}\r\nX-Long: ${'x'.repeat(20_000)}`)
  const { status, error } = answerIn(said)
  expect(status).toBe(431)
  expect(error.message).toContain('16 kB')
})

test('SX-8 a request without a host is refused', async () => {
  await using server = await startTestServer()
  expect(answerIn(await say(server, lines('GET /healthz HTTP/1.1'))).status).toBe(400)
  expect(answerIn(await say(server, lines('GET /healthz HTTP/1.0'))).status).toBe(403)
})

test('SX-8 a request names one host, in its header and in its URL', async () => {
  await using server = await startTestServer()
  const port = server.port
  const ask = async (target: string, ...headers: string[]) =>
    answerIn(await say(server, lines(`GET ${target} HTTP/1.1`, ...headers, 'Connection: close'))).status
  expect(await ask('/healthz', LOCAL, LOCAL)).toBe(400)
  expect(await ask('/healthz', LOCAL, 'host: evil.example')).toBe(400)
  expect(await ask(`http://127.0.0.1:${port}/healthz`, `Host: 127.0.0.1:${port}`)).toBe(200)
  for (const target of [
    'http://evil.example/healthz',
    `http://127.0.0.1:${port + 1}/healthz`,
    `http://user@127.0.0.1:${port}/healthz`,
    'ftp://127.0.0.1/healthz',
    'healthz',
    '*',
  ])
    expect([target, await ask(target, `Host: 127.0.0.1:${port}`)]).toEqual([target, 400])
})

test.each([
  '/s/%ff',
  '/%',
  '/s/%E0%A4%A',
  '/s/a%00b',
  '/trpc/%ff',
  '/api/v1/sessions/%ff/export',
  '/login%ff',
])('RL-7 a path that does not decode is refused for every method (%s)', async (path) => {
  await using server = await startTestServer()
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
    const said = await say(server, lines(`${method} ${path} HTTP/1.1`, LOCAL, 'Connection: close'))
    expect([method, answerIn(said).status]).toEqual([method, 400])
  }
})

const upgrade = (path: string, ...more: string[]) =>
  lines(`GET ${path} HTTP/1.1`, LOCAL, 'Connection: Upgrade', 'Upgrade: websocket', ...more)

test('AP-3 sockets open on the path of calls only', async () => {
  await using server = await startTestServer()
  const key = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13']
  expect(answerIn(await say(server, upgrade('/elsewhere', ...key))).status).toBe(404)
  expect(answerIn(await say(server, upgrade('/trpc'))).status).toBe(400)
  const socket = await open(server)
  socket.write(upgrade('/trpc', ...key))
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(answerIn(first.toString()).status).toBe(101)
  socket.destroy()
})

test.each(['h2c', 'TLS/1.0', 'websocketish'])(
  'AP-1 a request that offers an upgrade to %s is answered as HTTP/1.1, and checked like any other',
  async (other) => {
    await using server = await startTestServer()
    const offer = [`Upgrade: ${other}`, 'Connection: Upgrade, close']
    const body = '{"id":"offered"}'
    const post = lines(
      'POST /trpc/session.create HTTP/1.1',
      LOCAL,
      ...offer,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    )
    expect(answerIn(await say(server, lines('GET /healthz HTTP/1.1', LOCAL, ...offer))).status).toBe(200)
    expect(answerIn(await say(server, post, body)).status).toBe(200)
    expect(await server.ports.store.sessions.get('offered')).not.toBeNull()
    const foreign = lines('GET /trpc/session.list HTTP/1.1', 'Host: evil.example', ...offer)
    expect(answerIn(await say(server, foreign)).status).toBe(403)
  },
)

test('SX-8 a cross-site socket is refused with a reason, and its connection ends', async () => {
  await using server = await startTestServer()
  const { status, error } = answerIn(await say(server, upgrade('/trpc', 'Origin: https://evil.example')))
  expect([status, error.data.appCode]).toEqual([403, 'PERMISSION_DENIED'])
})

test('SX-6 the rest of a refused body is not read: the connection ends with the answer', async () => {
  await using server = await startTestServer()
  const head = lines(
    'POST /trpc/session.create HTTP/1.1',
    LOCAL,
    'Content-Type: text/plain',
    'Content-Length: 100000',
  )
  const { status, head: answered } = answerIn(await say(server, head, 'x'.repeat(10)))
  expect(status).toBe(400)
  expect(answered).toContain('connection: close')
})

test('AP-1 pipelined requests on one connection are answered in order', async () => {
  await using server = await startTestServer()
  const said = await say(
    server,
    lines('GET /healthz HTTP/1.1', LOCAL) +
      lines('GET /trpc/session.nowhere HTTP/1.1', LOCAL) +
      lines('GET /readyz HTTP/1.1', LOCAL, 'Connection: close'),
  )
  expect(Array.from(said.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)).toEqual([
    '200',
    '404',
    '200',
  ])
})

test('RL-3 a client that disconnects in the middle of a request does not affect other clients', async () => {
  await using server = await startTestServer()
  const head = lines(
    'POST /trpc/session.create HTTP/1.1',
    LOCAL,
    'Content-Type: application/json',
    'Content-Length: 500',
  )
  for (let time = 0; time < 10; time++) {
    const socket = await open(server)
    socket.write(`${head}{"id":"half`)
    socket.resetAndDestroy()
  }
  expect((await fetch(`${server.url}/trpc/session.list`)).status).toBe(200)
  expect(await server.ports.store.sessions.get('half')).toBeNull()
})

test('OB-3 a failure of the server is logged with its cause, and answered without it', async () => {
  const written: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const logger = createLogger({ level: 'info', secrets: createLogSecrets([]), destination })
  await using server = await startTestServer({ ports: { logger } })
  server.ports.store.sessions.get = () => Promise.reject(new Error('EIO: /var/lib/secret.db'))
  const answer = await fetch(`${server.url}/readyz`)
  expect(answer.status).toBe(500)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.text()).not.toMatch(/EIO|secret/)
  expect(written.join('')).toMatch(/"group":"readyz".*EIO|EIO.*"group":"readyz"/s)
})

test('OB-3 a caller that disconnected before the answer is counted as 499, not as a success', async () => {
  await using server = await startTestServer()
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<null>()
  server.ports.store.sessions.get = () => {
    asked.resolve()
    return held.promise
  }
  const socket = await open(server)
  socket.write(lines('GET /readyz HTTP/1.1', LOCAL))
  await asked.promise
  socket.resetAndDestroy()
  const count = /http_request_seconds_count\{method="GET",group="readyz",status="(\d+)"\} 1/
  const counted = async () => count.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]
  await vi.waitFor(async () => expect(await counted()).toBe('499'), { timeout: 20_000 })
  held.resolve(null)
})

test.each(['/healthz', '/trpc/system.info', '/metrics'])('AP-1 HEAD of %s has no body', async (path) => {
  await using server = await startTestServer()
  const answer = await fetch(`${server.url}${path}`, { method: 'HEAD' })
  expect(answer.status).toBeLessThan(500)
  expect(await answer.text()).toBe('')
})

test('SV-5 a refusal contains code, status and field, and nothing else of its error', () => {
  const cause = new Error('SELECT * FROM secrets')
  const error = new AppError('SESSION_BUSY', 'It is busy.', { field: 'sessionId', cause })
  expect(toRefusal(error)).toEqual({
    status: 409,
    body: {
      error: {
        message: 'It is busy.',
        code: -32009,
        data: { code: 'CONFLICT', httpStatus: 409, appCode: 'SESSION_BUSY', field: 'sessionId' },
      },
    },
  })
  expect(toRefusal(cause).body.error).toMatchObject({
    message: 'Something went wrong inside the server.',
    data: { httpStatus: 500, appCode: 'INTERNAL' },
  })
  expect(toRefusal('thrown words').status).toBe(500)
})

test('RL-7 a request that does not arrive within five minutes is cut, and an archive has no such limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await using server = await startTestServer()
    const body = ['Content-Type: application/json', 'Content-Length: 100']
    const slow = await open(server)
    const large = await open(server)
    slow.write(`${lines('POST /trpc/session.create HTTP/1.1', LOCAL, ...body)}{`)
    large.write(
      lines('POST /api/v1/archive HTTP/1.1', LOCAL, 'Content-Type: application/gzip', 'Content-Length: 100'),
    )
    const closed = once(slow, 'close')
    // Both requests have reached the server once it has answered one that was sent after them.
    await text(await asked(server))
    vi.advanceTimersByTime(SERVER_LIMITS.requestMs)
    await closed
    expect(large.destroyed).toBe(false)
    large.destroy()
  } finally {
    vi.useRealTimers()
  }
})

/** A connection that asks for the state of the server and closes. */
async function asked(server: TestServer): Promise<Socket> {
  const socket = await open(server)
  socket.write(lines('GET /healthz HTTP/1.1', LOCAL, 'Connection: close'))
  return socket
}
