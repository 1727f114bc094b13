import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'
import { singleCallOf } from './single-call.ts'

type Head = { method: string; url: string; headers?: Record<string, string>; body?: string }

/** What is read of a request with this head and body. */
function callOf({ method, url, headers = {}, body }: Head) {
  const request = new IncomingMessage(new Socket())
  return singleCallOf(Object.assign(request, { method, url, headers, ...(body !== undefined && { body }) }))
}

const JSON_TYPE = { 'content-type': 'application/json' }
const query = (input: string) => `/trpc/session.get?input=${encodeURIComponent(input)}`

test('AP-1 a GET of a query is a single call with its input, or with none', () => {
  expect(callOf({ method: 'GET', url: query('{"sessionId":"s"}') })).toEqual({
    path: 'session.get',
    type: 'query',
    input: { sessionId: 's' },
  })
  expect(callOf({ method: 'GET', url: '/trpc/system.info' })).toEqual({
    path: 'system.info',
    type: 'query',
    input: undefined,
  })
})

test.for([
  JSON_TYPE['content-type'],
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json ;a=b',
])('AP-1 a POST of a mutation as %s is a single call', (type) => {
  const head = { method: 'POST', url: '/trpc/session.create', headers: { 'content-type': type }, body: '{}' }
  expect(callOf(head)).toEqual({ path: 'session.create', type: 'mutation', input: {} })
})

test('AP-1 the input is what JSON says, whatever it says', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const input: unknown = JSON.parse(text)
      expect(callOf({ method: 'GET', url: query(text) })?.input).toEqual(input)
      const post = { method: 'POST', url: '/trpc/session.create', headers: JSON_TYPE, body: text }
      expect(callOf(post)?.input).toEqual(input)
    }),
  )
})

const POST = { method: 'POST', url: '/trpc/session.create', headers: JSON_TYPE, body: '{}' }
const GET = { method: 'GET', url: query('{}') }

test.for<[string, Head]>([
  ['a batch', { ...GET, url: '/trpc/session.get,session.list?batch=1&input=%7B%7D' }],
  ['a batch of one', { ...GET, url: `${query('{}')}&batch=1` }],
  ['a batch by POST', { ...POST, url: '/trpc/session.create?batch=1' }],
  ['an empty query by POST', { ...POST, url: '/trpc/session.create?' }],
  ['another parameter', { ...GET, url: '/trpc/session.get?inputs=%7B%7D' }],
  ['the input twice', { ...GET, url: `${query('{}')}&input=%7B%7D` }],
  ['input that is no JSON', { ...GET, url: query('{') }],
  ['an empty input', { ...GET, url: query('') }],
  ['a body that is no JSON', { ...POST, body: 'x' }],
  ['an empty body', { ...POST, body: '' }],
  ['no body', { method: POST.method, url: POST.url, headers: POST.headers }],
  ['another type of body', { ...POST, headers: { 'content-type': 'text/plain' } }],
  ['a type that only begins so', { ...POST, headers: { 'content-type': 'application/jsonp' } }],
  ['a longer type', { ...POST, headers: { 'content-type': 'application/json-patch+json' } }],
  ['a form', { ...POST, headers: { 'content-type': 'multipart/form-data' } }],
  ['no type', { ...POST, headers: {} }],
  ['a GET with a type', { ...GET, headers: JSON_TYPE }],
  ['a stream of lines', { ...GET, headers: { 'trpc-accept': 'application/jsonl' } }],
  ['an empty trpc-accept', { ...GET, headers: { 'trpc-accept': '' } }],
  ['lines in accept', { ...GET, headers: { accept: 'application/jsonl' } }],
  ['a mutation by GET', { ...GET, url: '/trpc/session.create' }],
  ['a query by POST', { ...POST, url: '/trpc/session.get' }],
  ['a subscription', { ...GET, url: '/trpc/session.stream?input=%7B%7D' }],
  ['PUT', { ...POST, method: 'PUT' }],
  ['HEAD', { ...GET, method: 'HEAD' }],
  ['OPTIONS', { ...GET, method: 'OPTIONS' }],
  ['a method in small letters', { ...POST, method: 'post' }],
  ['no procedure', { ...GET, url: '/trpc/' }],
  ['a router', { ...GET, url: '/trpc/session' }],
  ['an unknown procedure', { ...GET, url: '/trpc/session.nothing' }],
  ['a name of every object', { ...GET, url: '/trpc/toString' }],
  ['the prototype', { ...GET, url: '/trpc/__proto__' }],
  ['a folder more', { ...GET, url: '/trpc/session.get/' }],
  ['other capitals', { ...GET, url: '/trpc/Session.get' }],
])('AP-1 %s is left to tRPC', ([, head]) => {
  expect(callOf(head)).toBeNull()
})

test('AP-1 any request is a single call of a procedure, or left to tRPC', () => {
  const piece = fc.constantFrom(
    'session.get',
    'session.create',
    'system.info',
    '?',
    '&',
    'input=',
    '%7B%7D',
    '%',
  )
  fc.assert(
    fc.property(
      fc.constantFrom('GET', 'POST', 'PUT'),
      fc.array(piece, { maxLength: 6 }),
      fc.constantFrom('{}', '', '{"a":1}', '['),
      (method, pieces, body) => {
        const found = callOf({
          method,
          url: `/trpc/${pieces.join('')}`,
          headers: method === 'POST' ? JSON_TYPE : {},
          body,
        })
        if (found === null) return
        expect(['session.get', 'session.create', 'system.info']).toContain(found.path)
        expect(found.type).toBe(method === 'POST' ? 'mutation' : 'query')
      },
    ),
    { numRuns: 300 },
  )
})

test('AP-1 the length of an answer is that of its bytes, and of errors too', async () => {
  await using server = await startTestServer()
  const create = (input: object) =>
    fetch(`${server.url}/trpc/session.create`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(input),
    })
  for (const input of [{ title: 'Grüße 🙂 東京' }, { title: 7 }, { agent: 'nobody' }]) {
    const answer = await create(input)
    const bytes = await answer.bytes()
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-type')).toBe('application/json')
  }
})

test('AP-1 SX-5 an error of a single call has its code, and no stack or path', async () => {
  await using server = await startTestServer()
  const answer = await fetch(`${server.url}${query('{"sessionId":"none"}')}`)
  expect(answer.status).toBe(404)
  const { error } = await answer.json()
  expect(error.data).toMatchObject({ appCode: 'SESSION_NOT_FOUND', httpStatus: 404 })
  expect(JSON.stringify(error)).not.toMatch(/stack|node_modules|\.ts/)
})
