import { expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'

type Call = { type: 'query' | 'mutation'; path: string; body: string }

/** A query that tRPC ignores, and with which the request is left to it. */
const BY_TRPC = 'by=trpc'

async function wireOf(url: string, { type, path, body }: Call, query = '') {
  const headers = { 'content-type': 'application/json' }
  const answer =
    type === 'mutation'
      ? await fetch(`${url}/trpc/${path}${query && `?${query}`}`, { method: 'POST', headers, body })
      : await fetch(`${url}/trpc/${path}?input=${encodeURIComponent(body)}${query && `&${query}`}`)
  // The length is known before the answer is written, tRPC's own is sent in pieces.
  const {
    date: _,
    'content-length': __,
    'transfer-encoding': ___,
    ...head
  } = Object.fromEntries(answer.headers)
  return { status: answer.status, head, body: await answer.text() }
}

const create = (input: unknown): Call => ({
  type: 'mutation',
  path: 'session.create',
  body: JSON.stringify(input),
})
const rename = (input: unknown): Call => ({
  type: 'mutation',
  path: 'session.rename',
  body: JSON.stringify(input),
})
const get = (input: unknown): Call => ({ type: 'query', path: 'session.get', body: JSON.stringify(input) })

test.for<[string, Call, number]>([
  ['a mutation', { ...rename({ sessionId: 'chat' }), path: 'session.abort' }, 200],
  ['a query', get({ sessionId: 'chat' }), 200],
  ['an unknown id', get({ sessionId: 'nowhere' }), 404],
  ['a field of the wrong kind', rename({ sessionId: 'chat', title: 5 }), 400],
  ['a field too many', rename({ sessionId: 'chat', title: 'x', more: true }), 400],
  ['no object', get(null), 400],
  ['text that is no JSON', { ...rename({}), body: '{' }, 400],
  ['an empty body', { ...rename({}), body: '' }, 400],
  ['an unknown procedure', { ...rename({}), path: 'session.nothing' }, 404],
  ['a name of every object', { ...rename({}), path: 'constructor' }, 404],
  ['a query by POST', { ...get({ sessionId: 'chat' }), type: 'mutation' }, 405],
  ['a mutation by GET', { ...rename({ sessionId: 'chat', title: 'x' }), type: 'query' }, 405],
])('AP-1 the answer to %s is the one that tRPC writes', async ([, call, status]) => {
  await using server = await startTestServer()
  await wireOf(server.url, create({ id: 'chat', title: 'Grüße, 😀' }))
  const own = await wireOf(server.url, call)
  expect(own.status).toBe(status)
  expect(own).toEqual(await wireOf(server.url, call, BY_TRPC))
})

test('AP-1 a batch, and a query without input, are answered as before', async () => {
  await using server = await startTestServer()
  await wireOf(server.url, create({ id: 'chat' }))
  const input = encodeURIComponent(JSON.stringify({ 0: { sessionId: 'chat' }, 1: { sessionId: 'chat' } }))
  const batch = await fetch(`${server.url}/trpc/session.get,session.status?batch=1&input=${input}`)
  expect(await batch.json()).toMatchObject([
    { result: { data: { id: 'chat' } } },
    { result: { data: { state: 'idle' } } },
  ])
  const info = await fetch(`${server.url}/trpc/system.info`)
  expect(await info.json()).toMatchObject({ result: { data: { name: 'Palimpsest' } } })
})
