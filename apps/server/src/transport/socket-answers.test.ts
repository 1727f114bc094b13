import { LIMITS } from '@palimpsest/core/domain'
import { createTRPCClient, createWSClient, type TRPCClientError, wsLink } from '@trpc/client'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SERVER_LIMITS } from '../limits.ts'
import type { AppRouter } from '../routers/app-router.ts'
import { startTestServer } from '../testing/index.ts'
import { type Answer, openLine } from '../testing/open-line.ts'

type Call = { id: unknown; method: string; params: { path: string; input?: unknown } }

const info = (id: unknown): Call => ({ id, method: 'query', params: { path: 'system.info' } })
const create = (id: unknown, sessionId: string, more: object = {}): Call => ({
  id,
  method: 'mutation',
  params: { path: 'session.create', input: { id: sessionId, ...more } },
})
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

/** A call beyond each limit, and its code where it is refused alone. */
const beyond: { name: string; call: Call | object }[] = [
  { name: 'nesting', call: create(2, 'b', { metadata: { deep: nested(SERVER_LIMITS.nesting + 5) } }) },
  {
    name: 'values',
    call: create(2, 'b', {
      metadata: { list: Array.from({ length: SERVER_LIMITS.valuesPerRequest + 1 }, () => 0) },
    }),
  },
  {
    name: 'bytes',
    call: create(2, 'b', { title: 'x'.repeat(4 * SERVER_LIMITS.smallRequestBytes) }),
  },
  { name: 'no method', call: { id: 2, params: { path: 'system.info' } } },
  { name: 'no params', call: { id: 2, method: 'query' } },
  { name: 'an unknown procedure', call: { id: 2, method: 'query', params: { path: 'nothing.here' } } },
]

test.for(beyond)(
  'AP-4 each call of a socket message has one answer when the call in the middle is beyond its limit: $name',
  async ({ call }) => {
    await using server = await startTestServer()
    await using line = await openLine(server)
    const answers = Promise.all([1, 2, 3].map((id) => line.next((one) => one.id === id)))
    line.send(JSON.stringify([info(1), call, create(3, 'c')]))
    const [, refused] = await answers
    expect(refused?.error?.data).toMatchObject({ appCode: 'INVALID_INPUT' })
    await line.call('session.list', 'query', {})
    const heard = line.heard.filter((text) => text.startsWith('{')).map((text): Answer => JSON.parse(text))
    const ids = heard.map(({ id }) => id)
    for (const id of [2, 3]) expect(ids.filter((one) => one === id)).toHaveLength(1)
    expect(ids).not.toContain(null)
    expect(line.closed).toBe(false)
  },
)

test('AP-4 what is no call leaves the calls beside it: these are made', async () => {
  await using server = await startTestServer()
  await using line = await openLine(server)
  const made = line.next((one) => one.id === 3)
  line.send(JSON.stringify([{ id: 2, method: 'query' }, 5, null, create(3, 'c')]))
  expect((await made).result?.data).toMatchObject({ id: 'c' })
})

test('AP-4 more calls than a socket message takes are each refused by name', async () => {
  await using server = await startTestServer()
  await using line = await openLine(server)
  const count = SERVER_LIMITS.callsPerMessage + 1
  const last = line.next((one) => one.id === count)
  line.send(JSON.stringify(Array.from({ length: count }, (_, index) => info(index + 1))))
  expect((await last).error?.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'batch' })
  expect(new Set(line.heard.map((text) => (JSON.parse(text) as Answer).id)).size).toBe(count)
})

test('AP-4 subscriptions beyond the limit of a socket are refused each, and the calls behind them are made', async () => {
  await using server = await startTestServer()
  await using line = await openLine(server)
  await line.call('session.create', 'mutation', { id: 's' })
  const subscribe = (id: number): Call => ({
    id,
    method: 'subscription',
    params: { path: 'session.events', input: { sessionId: 's' } },
  })
  const most = SERVER_LIMITS.subscriptionsPerSocket
  const held = line.next(({ id, result }) => id === 10 + most - 1 && result?.type === 'started')
  line.send(JSON.stringify(Array.from({ length: most }, (_, index) => subscribe(10 + index))))
  await held
  const refused = line.next((one) => one.id === 5_001 && one.error !== undefined)
  const made = line.next((one) => one.id === 5_002)
  line.send(JSON.stringify([subscribe(5_001), create(5_002, 'c')]))
  expect((await refused).error?.data).toMatchObject({ appCode: 'RATE_LIMITED' })
  expect((await made).result?.data).toMatchObject({ id: 'c' })
})

test.for([
  ['an id with an escape', `[{"id":"a\\u0041","method":"query","params":{"path":"system.info"}},DEEP]`],
  ['an id that is no whole number', `[{"id":1.5,"method":"query","params":{"path":"system.info"}},DEEP]`],
  ['no id', `[{"method":"query","params":{"path":"system.info"}},DEEP]`],
] as const)('AP-4 a refused socket message with %s closes its socket', async ([, sent]) => {
  await using server = await startTestServer()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc`)
  await new Promise((resolve) => socket.once('open', resolve))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const deep = `{"id":9,"method":"query","params":{"path":"system.info","input":${'['.repeat(100)}${']'.repeat(100)}}}`
  socket.send(sent.replace('DEEP', deep))
  expect(await closed).toBe(1008)
})

test('AP-4 the stock client gets an answer to each call of a message in which one is beyond a limit', async () => {
  await using server = await startTestServer()
  const client = createWSClient({ url: `ws://127.0.0.1:${server.port}/trpc`, WebSocket: WebSocket as never })
  try {
    const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client })] })
    await trpc.system.info.query()
    const metadata = { deep: nested(SERVER_LIMITS.nesting + 5) } as never
    const answers = await Promise.allSettled([
      trpc.system.info.query(),
      trpc.session.create.mutate({ id: 'b', metadata }),
      trpc.session.create.mutate({ id: 'c' }),
      trpc.session.create.mutate({ id: 'd', title: 'x'.repeat(LIMITS.requestBytes / 8) }),
    ])
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused)
      expect((reason as TRPCClientError<AppRouter>).data).toMatchObject({ appCode: 'INVALID_INPUT' })
  } finally {
    await client.close()
  }
})
