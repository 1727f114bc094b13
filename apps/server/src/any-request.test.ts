import { request } from 'node:http'
import { LIMITS } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedCount } from './testing/attack/generated-count.ts'
import { PROCEDURES } from './testing/call-procedure.ts'
import { startTestServer, type TestServer } from './testing/index.ts'

const REQUESTS = generatedCount('GENERATED_REQUESTS', { short: 300, long: 10_000 })

type Asked = { method: string; path: string; headers: Record<string, string>; body: string }
type Answer = { status: number; type: string; body: string }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ store: 'sqlite' })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Words of ours among any others, so that what is asked comes close to what is there. */
const word = fc.oneof(
  fc.constantFrom(
    'trpc',
    'api',
    'v1',
    'sessions',
    'import',
    'export',
    'healthz',
    'login',
    's',
    'frames',
    'image',
    'metrics',
    '_next',
    '..',
    '.',
    '',
  ),
  fc.constantFrom(...PROCEDURES.map(({ path }) => path)),
  fc.string({ maxLength: 8 }).map(encodeURIComponent),
  fc.constantFrom(
    '%',
    '%00',
    '%2e%2e',
    '%ff',
    '%2f',
    'x\\\\..',
    '#',
    'a,b',
    '?batch=1',
    'ses_1',
    '__proto__',
    'constructor',
    'session.__proto__',
  ),
)
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.record({ sessionId: fc.string(), messageId: fc.string() }, { requiredKeys: [] }),
)
const query = fc.oneof(
  fc.constant(''),
  fc.string({ maxLength: 20 }).map((text) => `?${encodeURI(text)}`),
  json.map((input) => `?input=${encodeURIComponent(JSON.stringify(input) ?? '')}`),
  json.map((input) => `?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }) ?? '')}`),
  fc.constantFrom(
    '?input=',
    '?input={',
    '?format=json',
    '?token=',
    '?connectionParams={"a":1}',
    '?lastEventId=7',
  ),
)
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'accept',
    'origin',
    'authorization',
    'cookie',
    'trpc-accept',
    'x-palimpsest-client',
    'last-event-id',
    'range',
    'expect',
    'content-encoding',
    'x-forwarded-proto',
    'sec-fetch-site',
  ),
  fc.constantFrom(
    'application/json',
    'application/x-ndjson',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/octet-stream',
    'application/json, text/plain',
    '1',
    'null',
    'Bearer x',
    'palimpsest=x',
    'application/jsonl',
    'bytes=0-5',
  ),
  { maxKeys: 4 },
)
const anyRequest: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'),
  path: fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 5 }), query)
    .map(([words, more]) => `/${words.join('/')}${more}`),
  headers,
  body: fc.oneof(
    fc.constant(''),
    json.map((value) => JSON.stringify(value) ?? ''),
    fc.string(),
  ),
})

/** The beginning of the body: some answers are streams without an end. */
function ask({ method, path, headers: sent, body }: Asked): Promise<Answer> {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // For some methods Node sends no length of a body; such a body would be parsed as the next request.
  const headers = hasBody ? { ...sent, 'content-length': String(Buffer.byteLength(body)) } : sent
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: server.port, agent: false, method, path, headers },
      (incoming) => {
        const type = incoming.headers['content-type'] ?? ''
        let text = ''
        const done = () => {
          outgoing.destroy()
          resolve({ status: incoming.statusCode ?? 0, type, body: text })
        }
        incoming.setEncoding('utf8').on('data', (more: string) => {
          text += more
          if (type.startsWith('text/event-stream')) done()
        })
        incoming.on('end', done).on('error', reject)
      },
    )
    outgoing.on('error', reject)
    if (hasBody) outgoing.end(body)
    else outgoing.end()
  })
}

const INSIDES = /node_modules|at async|\.ts:\d|SQLITE|SELECT |\/tmp\//

test('RL-7 any request to any path is answered, never with a failure, a file or internals of the server', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async (asked) => {
      const { status, type, body } = await ask(asked)
      expect(status).toBeGreaterThanOrEqual(200)
      expect(status).toBeLessThan(500)
      expect(body).not.toMatch(INSIDES)
      if (status < 400 || asked.method === 'HEAD' || !type.startsWith('application/json')) return
      const { data, message } = [JSON.parse(body)].flat()[0].error
      expect(data).toMatchObject({
        appCode: expect.stringMatching(/^[A-Z_]+$/),
        httpStatus: expect.any(Number),
      })
      expect(message).toEqual(expect.stringMatching(/\S/))
    }),
    { numRuns: REQUESTS },
  )
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
}, 600_000)

test('RL-7 a call of any procedure with any input gets a result or a typed error', async () => {
  const call = fc.record({ procedure: fc.constantFrom(...PROCEDURES), input: json })
  await fc.assert(
    fc.asyncProperty(call, async ({ procedure: { path, type }, input }) => {
      const text = JSON.stringify(input) ?? 'null'
      const { status, body } = await ask({
        method: type === 'mutation' ? 'POST' : 'GET',
        path: `/trpc/${path}${type === 'mutation' ? '' : `?input=${encodeURIComponent(text)}`}`,
        headers: { 'content-type': 'application/json' },
        body: text,
      })
      expect([path, status < 500]).toEqual([path, true])
      expect(body).not.toMatch(INSIDES)
    }),
    { numRuns: REQUESTS },
  )
}, 600_000)

test('AP-4 a batch has at most as many calls as the page of limits says', async () => {
  const batch = async (count: number) => {
    const paths = Array.from({ length: count }, () => 'system.info').join(',')
    return await ask({ method: 'GET', path: `/trpc/${paths}?batch=1&input={}`, headers: {}, body: '' })
  }
  const { status, body } = await batch(100)
  expect([status, JSON.parse(body).length]).toEqual([200, 100])
  const refused = await batch(101)
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('at most 100 calls')
})

test('AP-4 the limits that the server reports are those of the core, and nothing it reports exposes the machine', async () => {
  const { body } = await ask({ method: 'GET', path: '/trpc/system.info', headers: {}, body: '' })
  const { data } = JSON.parse(body).result
  expect(data.limits).toEqual(LIMITS)
  const own = [process.cwd(), process.env['HOME']]
  for (const secret of own.filter((each) => each !== undefined && each.length > 3))
    expect(body).not.toContain(secret)
})
