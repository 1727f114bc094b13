import { deltas, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { openLine } from '../testing/open-line.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
const get = ({ url }: TestServer, path: string, headers = {}) => fetch(`${url}/trpc/${path}`, { headers })
const post = ({ url }: TestServer, path: string, body: unknown) =>
  fetch(`${url}/trpc/${path}`, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })

/** A server with a session `a`, whose model says `Hello`. */
async function withSession(): Promise<TestServer> {
  const server = await startTestServer()
  server.provider.otherwise(reply({ text: 'Hello' }))
  await post(server, 'session.create', { id: 'a' })
  return server
}

async function sent(server: TestServer, sessionId = 'a'): Promise<string> {
  const message = { parts: [{ type: 'text', text: 'hi' }] }
  const answer = await post(server, 'session.send', { sessionId, message })
  return (await answer.json()).result.data.runId
}

test('AP-1 each call of a batch has its own answer, failed or not', async () => {
  await using server = await withSession()
  const read = await get(
    server,
    `session.get,session.status,session.get?batch=1&${input({ 0: { sessionId: 'a' }, 1: { sessionId: 'a' }, 2: { sessionId: 'b' } })}`,
  )
  expect(read.status).toBe(207)
  expect(await read.json()).toMatchObject([
    { result: { data: { id: 'a' } } },
    { result: { data: { state: 'idle' } } },
    { error: { data: { httpStatus: 404, appCode: 'SESSION_NOT_FOUND', field: 'sessionId' } } },
  ])
  const written = await post(server, 'session.create,session.create,session.nothing?batch=1', {
    0: { id: 'b' },
    1: { id: 'b c' },
    2: {},
  })
  expect(await written.json()).toMatchObject([
    { result: { data: { id: 'b' } } },
    { error: { data: { httpStatus: 400, appCode: 'INVALID_INPUT', field: 'id' } } },
    { error: { data: { httpStatus: 404, field: 'path' } } },
  ])
  expect((await get(server, `session.get?${input({ sessionId: 'b' })}`)).status).toBe(200)
})

test('AP-1 batched calls with streamed lines as answers are each answered too', async () => {
  await using server = await withSession()
  const answer = await get(
    server,
    `session.get,session.get?batch=1&${input({ 0: { sessionId: 'a' }, 1: { sessionId: 'b' } })}`,
    { 'trpc-accept': 'application/jsonl' },
  )
  const lines = (await answer.text()).trimEnd().split('\n')
  for (const line of lines.filter((one) => one.trim() !== '')) expect(() => JSON.parse(line)).not.toThrow()
  expect(lines.join()).toContain('"appCode":"SESSION_NOT_FOUND"')
  expect(lines.join()).toContain('"id":"a"')
})

test.for([
  ['no batch at all', 'session.get,session.get', 404],
  ['an input for each but one', `session.get,session.get?batch=1&${input({ 0: { sessionId: 'a' } })}`, 207],
  ['a list of inputs', `session.get?batch=1&${input([{ sessionId: 'a' }])}`, 400],
  ['no input', 'session.get?batch=1', 400],
  ['two streams', `session.stream,session.stream?batch=1&${input({ 0: { sessionId: 'a' } })}`, 400],
  ['half an escape', 'session.list%E0%A4%A', 400],
  ['escapes of no character', `session.list?input=%FF%FE`, 400],
  ['no path', '', 404],
  ['a path like a folder', 'session/list', 404],
  ['parameters that are no JSON', `session.stream?${input({ sessionId: 'a' })}&connectionParams=x`, 400],
] as const)(
  'AP-1 RL-7 a request with %s is answered in JSON, and not with a failure',
  async ([, path, status]) => {
    await using server = await withSession()
    const answer = await get(server, path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(JSON.stringify(await answer.json())).toContain('"appCode":"INVALID_INPUT"')
  },
)

test('AP-1 a call without input accepts no input, an empty one, and JSON under any name', async () => {
  await using server = await withSession()
  const create = (body: string | null, type: string) =>
    fetch(`${server.url}/trpc/session.create`, { method: 'POST', headers: { 'content-type': type }, body })
  const answers = await Promise.all([
    create(null, 'application/json'),
    create('{}', 'application/json; charset=utf-8'),
    create('\ufeff{"title":"x"}', 'APPLICATION/JSON'),
    get(server, 'system.info'),
    get(server, `system.info?${input({})}`),
    get(server, 'session%2Elist'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
})

test.for([
  ['in its address', '&lastEventId=7', {}],
  ['in a header', '', { 'last-event-id': '7' }],
] as const)(
  'AP-2 a reader of events that sends %s as last event id gets the run from its start',
  async ([, query, headers]) => {
    await using server = await withSession()
    const runId = await sent(server)
    const read = async () =>
      (await get(server, `session.stream?${input({ sessionId: 'a', runId })}${query}`, headers)).text()
    const [first, second] = [await read(), await read()]
    expect(first).toContain('"type":"start"')
    expect(first).toContain('"delta":"Hello"')
    expect(first).toContain('"type":"finish"')
    expect(dataOf(second)).toBe(dataOf(first))
    const events = new AbortController()
    const state = await fetch(`${server.url}/trpc/session.events?${input({ sessionId: 'a' })}${query}`, {
      headers,
      signal: events.signal,
    })
    expect(await until(state, '"type":"queue"')).toContain('"type":"status"')
    events.abort()
  },
)

/** The chunks in an event stream: their grouping differs. */
function dataOf(body: string): string {
  return JSON.stringify(
    [...body.matchAll(/^data: (\[.*\])$/gm)].flatMap(([, json]) => JSON.parse(json ?? '[]')),
  )
}

async function until(answer: Response, words: string): Promise<string> {
  let text = ''
  for await (const piece of answer.body ?? []) {
    text += new TextDecoder().decode(piece)
    if (text.includes(words)) break
  }
  return text
}

test('AP-3 a socket accepts several calls in one message, pings, and last event ids', async () => {
  await using server = await withSession()
  await using line = await openLine(server)
  const call = (id: number | string, method: string, path: string, more = {}) => ({
    id,
    method,
    params: { path, input: { sessionId: 'a' }, ...more },
  })
  const answers = Promise.all(['x', 2].map((id) => line.next((answer) => answer.id === id)))
  line.send('PING')
  line.send(JSON.stringify([call('x', 'query', 'session.status'), call(2, 'query', 'session.get')]))
  expect(await answers).toMatchObject([
    { result: { data: { state: 'idle' } } },
    { result: { data: { id: 'a' } } },
  ])
  expect(line.heard).toContain('PONG')
  const state = line.next(({ id, result }) => id === 3 && result?.type === 'data')
  line.send(JSON.stringify(call(3, 'subscription', 'session.events', { lastEventId: '7' })))
  expect((await state).result?.data).toMatchObject({ type: 'status', status: { state: 'idle' } })
})

test('AP-3 a stop of an unknown id is ignored, and an id in use is refused without ending its first call', async () => {
  await using server = await withSession()
  await using line = await openLine(server)
  line.send(JSON.stringify({ id: 9, method: 'subscription.stop' }))
  const subscribe = {
    id: 4,
    method: 'subscription',
    params: { path: 'session.events', input: { sessionId: 'a' } },
  }
  const first = line.next(({ id, result }) => id === 4 && result?.type === 'data')
  const refused = line.next(({ id, error }) => id === 4 && error !== undefined)
  line.send(JSON.stringify([subscribe, subscribe]))
  expect((await first).result?.data).toMatchObject({ type: 'status' })
  expect((await refused).error?.data).toMatchObject({ httpStatus: 400, appCode: 'INVALID_INPUT' })
  const busy = line.next(({ result }) => JSON.stringify(result ?? '').includes('"state":"busy"'))
  await sent(server)
  expect((await busy).id).toBe(4)
})

test.for([
  ['announced and sent', { method: 'connectionParams', data: { token: 'of nobody' } }, true],
  ['announced and null', { method: 'connectionParams', data: null }, true],
  ['announced and wrong', { method: 'connectionParams', data: 5 }, false],
  ['announced and left out', { id: 1, method: 'query', params: { path: 'system.info' } }, false],
] as const)(
  'AP-3 AP-1 with connection parameters %s a socket is served or refused',
  async ([, first, served]) => {
    await using server = await withSession()
    await using line = await openLine(server, '?connectionParams=1')
    const refused = line.next(({ error }) => error !== undefined)
    line.send(JSON.stringify(first))
    if (served) {
      const { result } = await line.call('session.status', 'query', { sessionId: 'a' })
      expect(result?.data).toEqual({ state: 'idle' })
    } else expect((await refused).error?.data).toMatchObject({ httpStatus: 400, appCode: 'INVALID_INPUT' })
  },
)

test('AP-3 subscriptions of a socket end when it closes, without an effect on other sockets', async () => {
  await using server = await withSession()
  const rest = Promise.withResolvers<void>()
  server.provider.script(reply({ text: deltas(6), hold: { before: 3, until: rest.promise } }))
  const runId = await sent(server)
  const lines = await Promise.all(Array.from({ length: 5 }, () => openLine(server)))
  const begun = lines.map((line) => line.next(({ result }) => result?.type === 'data'))
  for (const line of lines)
    line.send(
      JSON.stringify({
        id: 1,
        method: 'subscription',
        params: { path: 'session.stream', input: { sessionId: 'a', runId } },
      }),
    )
  await Promise.all(begun)
  const [last, ...leaving] = lines
  for (const line of leaving) await line[Symbol.asyncDispose]()
  const over = last?.next(({ result }) => result?.type === 'stopped')
  rest.resolve()
  await over
  expect(last?.heard.join()).toContain('"type":"finish"')
  await last?.[Symbol.asyncDispose]()
})
