import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/index.ts'

const TOKEN = 'correct-horse-battery-staple'

type Asked = { method: string; path: string; headers?: Record<string, string>; body?: string }
type Answer = { status: number; headers: Record<string, unknown>; body: string }

function ask(server: TestServer, { method, path, headers = {}, body = '' }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: server.port, method, path, headers }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      const end = () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text })
      incoming.on('end', end).on('error', reject)
    })
    outgoing.on('error', reject).end(body)
  })
}

const json = { 'content-type': 'application/json' }
const EVIL = 'https://evil.example'

/** Every path and method of the server, one of each kind. */
const doors: Asked[] = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/s/ses_1' },
  { method: 'GET', path: '/trpc/session.list' },
  { method: 'GET', path: '/trpc/session.events' },
  { method: 'POST', path: '/trpc/session.create', headers: json, body: '{"id":"planted"}' },
  { method: 'GET', path: '/metrics' },
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
  { method: 'GET', path: '/login?token=x' },
  { method: 'GET', path: '/api/v1/sessions' },
  { method: 'GET', path: '/nowhere' },
]

const strangers = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '0.0.0.0',
  '127.0.0.2',
  '[::ffff:7f00:1]',
]

test.for(doors)('SX-1 $method $path is refused for any host name that is not the server’s', async (door) => {
  await using server = await startTestServer()
  for (const host of strangers) {
    const { status, body } = await ask(server, { ...door, headers: { ...door.headers, host } })
    expect([host, status]).toEqual([host, 403])
    expect(body).not.toContain('ses_')
  }
  expect(await server.ports.store.sessions.get('planted')).toBeNull()
})

test.for([
  'localhost@evil.example',
  'user:word@localhost',
  '127.0.0.1, evil.example',
  'localhost:99999999',
  'localhost/evil',
  'localhost#',
  'local host',
])('SX-8 an invalid host name is refused (%s)', async (host) => {
  await using server = await startTestServer()
  const { status, body } = await ask(server, { method: 'GET', path: '/healthz', headers: { host } })
  expect([status, JSON.parse(body).error.data]).toMatchObject([
    400,
    { appCode: 'INVALID_INPUT', field: 'host' },
  ])
})

const foreign: Record<string, string>[] = [
  { origin: EVIL },
  { origin: 'null' },
  { origin: '' },
  { origin: 'http://localhost' },
  { origin: 'file://' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: EVIL, 'sec-fetch-site': 'same-origin' },
  { origin: EVIL, 'sec-fetch-site': 'none' },
]

test.for(doors.filter(({ path }) => path.startsWith('/trpc')))(
  'SX-8 $method $path is refused for every other site, whatever headers it sends',
  async (door) => {
    await using server = await startTestServer()
    for (const claims of foreign) {
      const { status, headers } = await ask(server, { ...door, headers: { ...door.headers, ...claims } })
      expect([claims, status]).toEqual([claims, 403])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(await server.ports.store.sessions.get('planted')).toBeNull()
  },
)

const wrongTokens: Record<string, string>[] = [
  {},
  { authorization: TOKEN },
  { authorization: `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}` },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${TOKEN}x` },
  { authorization: `Bearer ${TOKEN.toUpperCase()}` },
  { cookie: `palimpsest=${TOKEN}` },
  { cookie: 'palimpsest=' },
  { 'x-palimpsest-token': TOKEN },
]

test.for(doors.filter(({ path }) => !/healthz|readyz|login|metrics/.test(path)))(
  'SX-8 $method $path requires the token, and accepts nothing else for it',
  async (door) => {
    await using server = await startTestServer({ settings: { token: TOKEN } })
    for (const claims of wrongTokens) {
      const { status, body } = await ask(server, { ...door, headers: { ...door.headers, ...claims } })
      expect([claims, status]).toEqual([claims, 401])
      expect(body).not.toContain(TOKEN)
    }
    expect(await server.ports.store.sessions.get('planted')).toBeNull()
  },
)

test.for(['PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'HEAD', 'SEARCH'])(
  'AP-1 %s of a procedure changes nothing and is not a failure of the server',
  async (method) => {
    await using server = await startTestServer()
    const { status, body } = await ask(server, {
      method,
      path: '/trpc/session.create',
      headers: json,
      body: method === 'HEAD' ? '' : '{"id":"planted"}',
    })
    expect(method === 'HEAD' ? 405 : status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body).not.toMatch(/node_modules|at async|\.ts:\d/)
    expect(await server.ports.store.sessions.get('planted')).toBeNull()
  },
)

test.for([
  '/..',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/trpc/../metrics',
  '/trpc/',
  '/trpc',
  '/trpc//session.list',
  '/trpc/session.list%00',
  '/trpc/%',
  '/%E0%A4%A',
  '//evil.example/',
  '/?x=%',
])('RL-7 a path such as %s is answered, and never with a failure or a file', async (path) => {
  await using server = await startTestServer()
  const { status, headers, body } = await ask(server, { method: 'GET', path })
  // Without pages, the answer to a page request says how to build them.
  expect(status === 503 ? 404 : status).toBeLessThan(500)
  expect(body).not.toMatch(/root:|node_modules|at async|\.ts:\d/)
  expect(String(headers['location'] ?? '')).not.toContain('evil')
})

test.for([
  ['a body that is no JSON', '{', 'input'],
  ['a body that is a number', '5', 'input'],
  ['a body of another encoding', '\u00ff\u00fe{', 'input'],
  ['an empty body', '', 'input'],
  ['a list', '[]', 'input'],
] as const)('AP-1 %s is refused as input', async ([, body]) => {
  await using server = await startTestServer()
  const answer = await ask(server, {
    method: 'POST',
    path: '/trpc/session.rename',
    headers: { ...json, 'content-length': String(Buffer.byteLength(body)) },
    body,
  })
  expect(answer.status).toBe(400)
  const { error } = JSON.parse(answer.body)
  expect(error.data.appCode).toBe('INVALID_INPUT')
  expect(error.data.field).toEqual(expect.any(String))
})
