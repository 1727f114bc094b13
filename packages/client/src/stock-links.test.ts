import type { ChatChunk } from '@palimpsest/core/domain'
import type { AppRouter } from '@palimpsest/server'
import { startTestServer, type TestServer } from '@palimpsest/server/testing'
import { deltas, reply } from '@palimpsest/testing'
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpSubscriptionLink,
  type TRPCLink,
  wsLink,
} from '@trpc/client'
import { EventSource } from 'eventsource'
import { expect, test } from 'vitest'
import type { Api } from './api.ts'
import { appCodeOf } from './failures.ts'
import { startCuttingProxy } from './testing/cutting-proxy.ts'

/** A service that uses tRPC's own links and none of ours. */
const withLink = (link: TRPCLink<AppRouter>) =>
  createTRPCClient<AppRouter>({ links: [link] }) as unknown as Api

/** The limit on the page of limits. */
const CALLS_PER_REQUEST = 100

const hi = { parts: [{ type: 'text' as const, text: 'hi' }] }

/** Starts a run of six words that pauses after the third until it is released. */
async function withRun(server: TestServer) {
  const api = withLink(httpBatchLink({ url: `${server.url}/trpc` }))
  const rest = Promise.withResolvers<void>()
  server.provider.script(reply({ text: deltas(6), hold: { before: 3, until: rest.promise } }))
  const { id: sessionId } = await api.session.create.mutate({})
  const { runId } = await api.session.send.mutate({ sessionId, message: hi })
  return { sessionId, runId: runId ?? '', letGo: () => rest.resolve() }
}

/** The words of a run as a plain subscriber builds them, which starts over with each `start`. */
function wordsOf(api: Api, input: { sessionId: string; runId: string }) {
  const heard = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  let words = ''
  const take = (chunk: ChatChunk) => {
    if (chunk.type === 'start') words = ''
    if (chunk.type === 'text-delta') words += chunk.delta
    if (words !== '') begun.resolve()
    if (chunk.type === 'finish') heard.resolve(words)
  }
  api.session.stream.subscribe(input, {
    onData: (chunks) => chunks.forEach(take),
    onError: (error) => heard.reject(error),
  })
  return { begun: begun.promise, heard: heard.promise }
}

test.for([
  ['httpBatchLink', httpBatchLink],
  ['httpBatchStreamLink', httpBatchStreamLink],
] as const)('CL-1 batched calls with %s each have their own answer or error', async ([, batching]) => {
  await using server = await startTestServer()
  const api = withLink(batching({ url: `${server.url}/trpc` }))
  const ids = ['a', 'b', 'c', 'd']
  const created = await Promise.all(ids.map((id) => api.session.create.mutate({ id })))
  expect(created.map(({ id }) => id)).toEqual(ids)
  const [found, missing, wrong] = await Promise.allSettled([
    api.session.get.query({ sessionId: 'a' }),
    api.session.get.query({ sessionId: 'nowhere' }),
    api.session.list.query({ limit: 0 }),
  ])
  expect(found).toMatchObject({ status: 'fulfilled', value: { id: 'a' } })
  expect(missing).toMatchObject({ reason: { data: { appCode: 'SESSION_NOT_FOUND', httpStatus: 404 } } })
  expect(wrong).toMatchObject({ reason: { data: { appCode: 'INVALID_INPUT', field: 'limit' } } })
})

test('CL-1 more calls than one request takes are refused by name, and pass in several requests', async () => {
  await using server = await startTestServer()
  const many = Array.from({ length: CALLS_PER_REQUEST + 1 })
  const ask = (api: Api) => Promise.allSettled(many.map(() => api.system.info.query()))
  const refused = await ask(withLink(httpBatchLink({ url: `${server.url}/trpc` })))
  for (const answer of refused)
    expect(answer.status === 'rejected' && appCodeOf(answer.reason)).toBe('INVALID_INPUT')
  const spread = await ask(
    withLink(httpBatchLink({ url: `${server.url}/trpc`, maxItems: CALLS_PER_REQUEST })),
  )
  expect(new Set(spread.map(({ status }) => status))).toEqual(new Set(['fulfilled']))
})

test('AP-3 one plain socket carries calls and streams, and a stop of one does not affect the others', async () => {
  await using server = await startTestServer()
  const socket = createWSClient({ url: `${server.url.replace('http', 'ws')}/trpc` })
  const api = withLink(wsLink({ client: socket }))
  const run = await withRun(server)
  const first = wordsOf(api, run)
  const second = wordsOf(api, run)
  const left = Promise.withResolvers<void>()
  const leaving = api.session.stream.subscribe(run, { onData: () => left.resolve() })
  await Promise.all([first.begun, second.begun, left.promise])
  leaving.unsubscribe()
  expect(await api.session.status.query({ sessionId: run.sessionId })).toMatchObject({ state: 'busy' })
  run.letGo()
  expect(await Promise.all([first.heard, second.heard])).toEqual(['word '.repeat(6), 'word '.repeat(6)])
  await socket.close()
})

test.for(['wsLink', 'httpSubscriptionLink'] as const)(
  'AP-2 a plain subscriber by %s whose connection drops reconnects and has every word once',
  async (kind) => {
    await using server = await startTestServer()
    await using proxy = await startCuttingProxy(server.port)
    const socket = createWSClient({
      url: `${proxy.url.replace('http', 'ws')}/trpc`,
      retryDelayMs: () => 10,
    })
    const link =
      kind === 'wsLink'
        ? wsLink<AppRouter>({ client: socket })
        : httpSubscriptionLink<AppRouter, typeof EventSource>({ url: `${proxy.url}/trpc`, EventSource })
    const run = await withRun(server)
    const { begun, heard } = wordsOf(withLink(link), run)
    await begun
    proxy.cut()
    run.letGo()
    expect(await heard).toBe('word '.repeat(6))
    await socket.close()
  },
)
