import { request } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../testing/index.ts'

const TOKEN = 'correct-horse-battery-staple'
type Headers = Record<string, string>
type Answer = { status: number; headers: Record<string, unknown>; body: string }

test('SX-1 a page whose own name was resolved to this machine gets nothing', async () => {
  await using server = await startTestServer()
  const answer = await ask(server, 'GET', '/trpc/session.list', { host: 'evil.example' })
  expect(answer.status).toBe(403)
  expect(JSON.parse(answer.body).error.data.appCode).toBe('PERMISSION_DENIED')
  expect((await ask(server, 'GET', '/', { host: 'evil.example' })).status).toBe(403)
  expect((await ask(server, 'GET', '/healthz', { host: 'evil.example' })).status).toBe(403)
})

test.each([
  ['a form of another site', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['a form that pretends to be text', { 'content-type': 'text/plain' }],
  ['a form with query fields', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['bytes', { 'content-type': 'application/octet-stream' }],
  ['nothing that says what it is', {}],
])('SX-8 %s changes nothing', async (_what, headers: Headers) => {
  await using server = await startTestServer()
  const body = '{"id":"planted"}'
  expect((await ask(server, 'POST', '/trpc/session.create', headers, body)).status).toBe(400)
  expect(await server.ports.store.sessions.get('planted')).toBeNull()
})

test('SX-8 JSON of another site changes nothing', async () => {
  await using server = await startTestServer()
  const json = { 'content-type': 'application/json' }
  for (const headers of [
    { ...json, origin: 'https://evil.example' },
    { ...json, 'sec-fetch-site': 'cross-site' },
    { ...json, origin: `http://localhost:${server.port + 1}`, 'sec-fetch-site': 'same-site' },
    { ...json, origin: 'null' },
  ]) {
    const answer = await ask(server, 'POST', '/trpc/session.create', headers, '{"id":"planted"}')
    expect(answer.status).toBe(403)
  }
  expect(await server.ports.store.sessions.get('planted')).toBeNull()
  const own = { ...json, origin: `http://127.0.0.1:${server.port}`, 'sec-fetch-site': 'same-origin' }
  expect((await ask(server, 'POST', '/trpc/session.create', own, '{"id":"planted"}')).status).toBe(200)
})

test('SX-8 another site reads no event stream and opens no socket', async () => {
  await using server = await startTestServer()
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await ask(server, 'GET', '/trpc/session.events', foreign)).status).toBe(403)
  expect(await openSocket(server, foreign)).toBe(403)
  expect(await openSocket(server, { host: 'evil.example' })).toBe(403)
  expect(await openSocket(server, {})).toBe('open')
  expect(await openSocket(server, { origin: `http://127.0.0.1:${server.port}` })).toBe('open')
})

test('SX-8 no answer allows another origin to read it', async () => {
  await using server = await startTestServer()
  const answer = await ask(server, 'OPTIONS', '/trpc/session.list', {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
  })
  expect(answer.status).toBe(403)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('SX-1 a server that other machines can reach does not start without a token, and the error says how to set one', async () => {
  await expect(startTestServer({ settings: { host: '0.0.0.0' } })).rejects.toThrow('PALIMPSEST_TOKEN')
  await using server = await startTestServer({ settings: { host: '0.0.0.0', token: TOKEN } })
  expect((await ask(server, 'GET', '/trpc/session.list', {})).status).toBe(401)
})

test('SX-8 with a token only health paths answer without it', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  for (const path of ['/', '/trpc/session.list', '/trpc/session.events', '/s/ses_1']) {
    const answer = await ask(server, 'GET', path, {})
    expect(answer.status).toBe(401)
    expect(answer.body).not.toContain(TOKEN)
  }
  expect((await ask(server, 'GET', '/healthz', {})).status).toBe(200)
  expect(await openSocket(server, {})).toBe(401)
  expect(await openSocket(server, { authorization: `Bearer ${TOKEN}` })).toBe('open')
  expect((await ask(server, 'GET', '/trpc/session.list', { authorization: `Bearer ${TOKEN}` })).status).toBe(
    200,
  )
})

test('SX-8 the login page exchanges the token for a cookie that authenticates calls and sockets', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  expect((await ask(server, 'GET', '/login?token=wrong', {})).status).toBe(401)
  const answer = await ask(server, 'GET', `/login?token=${TOKEN}`, {})
  expect(answer).toMatchObject({ status: 303, headers: { location: '/' } })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  expect((await ask(server, 'GET', '/trpc/session.list', { cookie })).status).toBe(200)
  expect(await openSocket(server, { cookie })).toBe('open')
})

const passOf = async (server: TestServer) => {
  const { headers } = await ask(server, 'GET', `/login?token=${TOKEN}`, {})
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

const guesses: [where: string, guess: (index: number) => [path: string, headers: Headers]][] = [
  ['header', (index) => ['/trpc/session.list', { authorization: `Bearer wrong${index}` }]],
  ['cookie', (index) => ['/trpc/session.list', { cookie: `palimpsest=wrong${index}` }]],
  ['login', (index) => [`/login?token=wrong${index}`, {}]],
]

test.for(guesses)(
  'SX-6 wrong tokens by %s are counted and refused, and a valid one always passes',
  async ([, guess]) => {
    await using server = await startTestServer({ settings: { token: TOKEN, requestsPerMinute: 60 } })
    const tries = await Array.fromAsync({ length: 100 }, (_, index) => ask(server, 'GET', ...guess(index)))
    expect(tries.map(({ status }) => status)).toEqual(tries.map((_, at) => (at < 20 ? 401 : 429)))
    const cookie = await passOf(server)
    for (const headers of [{ cookie }, { authorization: `Bearer ${TOKEN}` }])
      expect((await ask(server, 'GET', '/trpc/session.list', headers)).status).toBe(200)
    expect(await openSocket(server, { cookie })).toBe('open')
  },
)

test('SX-6 wrong tokens of sockets are counted too, and a valid one opens one', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  const inName = (token: string) => ({
    'sec-websocket-protocol': `palimpsest.token.${Buffer.from(token).toString('base64url')}`,
  })
  const tries = await Array.fromAsync({ length: 21 }, (_, index) =>
    ask(server, 'GET', '/trpc/session.list', inName(`wrong${index}`)),
  )
  expect(tries.at(-1)?.status).toBe(429)
  expect(await openSocket(server, { authorization: `Bearer ${TOKEN}` })).toBe('open')
})

test('SX-1 a token that can be guessed is refused for an address that other machines reach', async () => {
  const open = (host: string, token: string) => startTestServer({ settings: { host, token } })
  await expect(open('0.0.0.0', 'x'.repeat(19))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'PALIMPSEST_TOKEN',
    message: expect.stringMatching(/20 characters.*[0-9a-f-]{36}$/),
  })
  await using _shortest = await open('0.0.0.0', 'x'.repeat(20))
  await using _local = await open('127.0.0.1', 'x')
})

test('SX-8 the cookie is Secure where the browser used TLS', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  const cookieFor = async (headers: Headers) =>
    String((await ask(server, 'GET', `/login?token=${TOKEN}`, headers)).headers['set-cookie'])
  for (const headers of [{}, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'http, https' }])
    expect(await cookieFor(headers)).not.toContain('Secure')
  for (const headers of [{ 'x-forwarded-proto': 'https' }, { forwarded: 'for=1.2.3.4;proto=https' }])
    expect(await cookieFor(headers)).toContain('; Secure')
})

test.for(['HEAD', 'POST', 'PUT', 'OPTIONS'])('SX-8 no login by %s', async (method) => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  const json = { 'content-type': 'application/json' }
  const answer = await ask(server, method, `/login?token=${TOKEN}`, method === 'HEAD' ? {} : json)
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET' } })
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test.for(['cross-site', 'same-site'])(
  'SX-8 a login link of another site (%s) asks for a click, and repeats no token',
  async (site) => {
    await using server = await startTestServer({ settings: { token: TOKEN } })
    const answer = await ask(server, 'GET', `/login?token=${TOKEN}`, { 'sec-fetch-site': site })
    expect(answer.status).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.body).toContain('<a href="">')
    expect(answer.body).not.toContain(TOKEN)
    const clicked = await ask(server, 'GET', `/login?token=${TOKEN}`, { 'sec-fetch-site': 'same-origin' })
    expect(clicked.status).toBe(303)
  },
)

test('SX-8 a login that a script of another site sends sets no cookie', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  const { status, headers } = await ask(server, 'GET', `/login?token=${TOKEN}`, {
    origin: 'https://evil.example',
  })
  expect([status, headers['set-cookie']]).toEqual([403, undefined])
})

test.for([
  '/trpc/session.create#,session.send?batch=1',
  '/trpc/session.send/../session.create',
  '/trpc/session.send\\..\\session.create',
  '/trpc/x/%2e%2e/session.create',
])('SX-8 AP-4 %s is one path for every check, and has the size of what it calls', async (path) => {
  await using server = await startTestServer()
  const json = { 'content-type': 'application/json' }
  const small = await ask(server, 'POST', path, json, '{}')
  expect(small.status).toBe(200)
  const { status, body } = await ask(server, 'POST', path, json, `{"title":"${'x'.repeat(300_000)}"}`)
  expect([status, body]).toEqual([400, expect.stringContaining('at most 262144 bytes')])
})

test('SX-8 metrics require the token when there is one, and are for this machine only when there is none', async () => {
  await using guarded = await startTestServer({ settings: { token: TOKEN } })
  expect((await ask(guarded, 'GET', '/metrics', {})).status).toBe(401)
  expect((await ask(guarded, 'GET', '/metrics', { authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  await using open = await startTestServer()
  expect((await ask(open, 'GET', '/metrics', {})).status).toBe(200)
  for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'])
    expect([header, (await ask(open, 'GET', '/metrics', { [header]: '1.2.3.4' })).status]).toEqual([
      header,
      403,
    ])
})

test('SX-6 requests beyond the rate get a clear answer', async () => {
  await using server = await startTestServer({ settings: { requestsPerMinute: 5 } })
  const statuses = await Array.fromAsync({ length: 6 }, () => ask(server, 'GET', '/trpc/session.list', {}))
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  expect(JSON.parse(statuses[5]?.body ?? '').error.data.appCode).toBe('RATE_LIMITED')
})

test.for([',', '%2C'])('SX-6 each call of a batch counts against the rate (%s)', async (comma) => {
  await using server = await startTestServer({ settings: { requestsPerMinute: 10 } })
  const batch = (calls: number) => {
    const paths = Array.from({ length: calls }, () => 'session.list').join(comma)
    return ask(server, 'GET', `/trpc/${paths}?batch=1&input={}`, {})
  }
  expect((await batch(6)).status).toBe(200)
  const { status, body } = await batch(5)
  expect([status, JSON.parse(body).error.data.appCode]).toEqual([429, 'RATE_LIMITED'])
})

test('SX-6 AP-4 a body beyond the limit is refused before it is read', async () => {
  await using server = await startTestServer()
  const headers = { 'content-type': 'application/json', 'content-length': String(17 * 1024 * 1024) }
  const answer = await ask(server, 'POST', '/trpc/session.create', headers)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body).error.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'body' })
})

test('SX-3 every answer carries the headers that keep it from being framed, sniffed or embedded', async () => {
  await using server = await startTestServer()
  for (const path of ['/', '/healthz', '/trpc/session.list', '/nowhere']) {
    expect((await ask(server, 'GET', path, {})).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  }
  const { headers } = await ask(server, 'GET', '/trpc/session.list', {})
  expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
})

function ask(server: TestServer, method: string, path: string, headers: Headers, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: server.port, method, path, headers }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      const end = () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text })
      incoming.on('end', end).on('error', reject)
    })
    outgoing.on('error', reject)
    if ('content-length' in headers) outgoing.flushHeaders()
    else outgoing.end(body)
  })
}

function openSocket(server: TestServer, headers: Headers): Promise<number | 'open'> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc`, { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      socket.terminate()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}
