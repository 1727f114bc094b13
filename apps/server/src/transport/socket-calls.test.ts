import { deltas, reply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { badInput, SAMPLES } from '../testing/bad-inputs.ts'
import { PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'
import { type Answer, openLine } from '../testing/open-line.ts'

const badCalls = fc
  .constantFrom(...PROCEDURES)
  .chain(({ path, type }) =>
    fc.record({ path: fc.constant(path), type: fc.constant(type), input: badInput(path, 30_000) }),
  )

test('AP-1 RL-7 bad input on a socket is a typed error that names its field, and the socket stays open', async () => {
  await using server = await startTestServer()
  await using line = await openLine(server)
  await fc.assert(
    fc.asyncProperty(badCalls, async ({ path, type, input }) => {
      const { error } = await line.call(path, type, input)
      expect(error?.data).toMatchObject({ appCode: 'INVALID_INPUT', httpStatus: 400 })
      expect(error?.data.field).toEqual(expect.stringMatching(/./))
      expect(error?.data.stack).toBeUndefined()
    }),
    { numRuns: 300 },
  )
  expect((await line.call('system.info', 'query', undefined)).result?.data).toMatchObject({
    name: 'Palimpsest',
  })
})

/** Those that name a session; what `session.locate` does not find is null. */
const OF_SESSIONS = PROCEDURES.filter(
  ({ path }) => 'sessionId' in (SAMPLES[path] ?? {}) && path !== 'session.locate',
)

test.for(OF_SESSIONS)(
  'AP-1 AP-5 $path of an unknown session is a 404 on a socket too',
  async ({ path, type }) => {
    await using server = await startTestServer()
    await using line = await openLine(server)
    const {
      model: _model,
      agent: _agent,
      cursor: _cursor,
      ...sample
    } = SAMPLES[path] as Record<string, unknown>
    const input = path === 'session.fit' ? SAMPLES[path] : sample
    const failed = line.next(({ error }) => error !== undefined)
    await line.call(path, type, input)
    const { error } = await failed
    expect(error?.data).toMatchObject({ httpStatus: 404 })
    expect(['SESSION_NOT_FOUND', 'MODEL_NOT_FOUND']).toContain(error?.data.appCode)
    expect(line.closed).toBe(false)
  },
)

test.for([
  ['{"half', 'not valid JSON'],
  ['', 'not valid JSON'],
  ['null', 'no call'],
  ['{"id":1}', 'no call'],
  ['{"id":1,"method":"query"}', 'no call'],
  ['{"id":{},"method":"query","params":{"path":"system.info"}}', 'no call'],
] as const)(
  'AP-1 %j on a socket is refused with its own error, and the socket stays open',
  async ([sent, words]) => {
    await using server = await startTestServer()
    await using line = await openLine(server)
    const failed = line.next(({ error }) => error !== undefined)
    line.send(sent)
    const { error } = await failed
    expect(error?.data).toMatchObject({ appCode: 'INVALID_INPUT', httpStatus: 400, field: 'body' })
    expect(error?.message).toContain(words)
    expect((await line.call('system.info', 'query', undefined)).error).toBeUndefined()
  },
)

test.for([
  ['no procedure', { path: 'session.nothing', method: 'query' }],
  ['a query as a mutation', { path: 'session.list', method: 'mutation' }],
  ['a mutation as a query', { path: 'session.create', method: 'query' }],
  ['a subscription as a query', { path: 'session.events', method: 'query' }],
  ['a query as a subscription', { path: 'session.list', method: 'subscription' }],
  ['a name of every object', { path: 'constructor', method: 'query' }],
  ['a prototype', { path: '__proto__.toString', method: 'query' }],
] as const)(
  'AP-1 %s is refused on a socket by its code, and the socket stays open',
  async ([, { path, method }]) => {
    await using server = await startTestServer()
    await using line = await openLine(server)
    const { error } = await line.call(path, method, {})
    expect(error?.data.httpStatus).toBeGreaterThanOrEqual(400)
    expect(error?.data.httpStatus).toBeLessThan(500)
    expect(error?.data.appCode).toBe('INVALID_INPUT')
    expect((await line.call('system.info', 'query', undefined)).result?.data).toBeDefined()
  },
)

test.for([
  '',
  'null',
  '[]',
  '{}',
  '{"id":1}',
  '{"id":1,"method":"query"}',
  '5',
  'PING?',
  '{"id":1,',
  '[[[',
  '{"id":{}}',
])('RL-3 a socket that sends %j is answered or closed, and other sockets stay open', async (text) => {
  await using server = await startTestServer()
  await using odd = await openLine(server)
  await using sound = await openLine(server)
  odd.send(text)
  expect((await sound.call('system.info', 'query', undefined)).result?.data).toBeDefined()
  if (!odd.closed) odd.send(JSON.stringify({ id: 9, method: 'query', params: { path: 'system.info' } }))
  expect((await sound.call('session.list', 'query', {})).result?.data).toMatchObject({ items: [] })
})

test('AP-3 calls and subscriptions of one socket are answered each under its own id, in any order', async () => {
  await using server = await startTestServer()
  await using line = await openLine(server)
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`)
  const created = await Promise.all(ids.map((id) => line.call('session.create', 'mutation', { id })))
  expect(created.map(({ result }) => result?.data)).toMatchObject(ids.map((id) => ({ id })))
  const events = await Promise.all(
    ids.map((sessionId) => line.call('session.events', 'subscription', { sessionId })),
  )
  expect(new Set(events.map(({ result }) => result?.type))).toEqual(new Set(['started']))
})

test('LS-1 a subscription that is stopped on its socket does not stop its run, and the id can be used again', async () => {
  await using server = await startTestServer()
  await using line = await openLine(server)
  const rest = Promise.withResolvers<void>()
  server.provider.script(reply({ text: deltas(4), hold: { before: 2, until: rest.promise } }))
  await line.call('session.create', 'mutation', { id: 's' })
  const message = { parts: [{ type: 'text', text: 'hi' }] }
  await line.call('session.send', 'mutation', { sessionId: 's', message })
  const subscribe = JSON.stringify({
    id: 77,
    method: 'subscription',
    params: { path: 'session.stream', input: { sessionId: 's' } },
  })
  const isData = ({ id, result }: Answer) => id === 77 && result?.type === 'data'
  const first = line.next(isData)
  line.send(subscribe)
  await first
  const stopped = line.next(({ id, result }) => id === 77 && result?.type === 'stopped')
  line.send(JSON.stringify({ id: 77, method: 'subscription.stop' }))
  await stopped
  const again = line.next(isData)
  const over = line.next(({ id, result }) => id === 77 && result?.type === 'stopped')
  line.send(subscribe)
  expect(JSON.stringify((await again).result?.data)).toContain('"start"')
  rest.resolve()
  await over
  const { result } = await line.call('session.messages', 'query', { sessionId: 's' })
  expect(JSON.stringify(result?.data)).toContain('word word word word ')
})
