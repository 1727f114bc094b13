import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer } from '@palimpsest/server/testing'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createClient } from './create-client.ts'
import { appCodeOf, isRefusal, isUnreachable } from './failures.ts'
import { readRun } from './read-run.ts'
import { untilReached } from './retry.ts'
import { eventWhere } from './testing/event-where.ts'

const TOKEN = 'a-token/of+some=length'

for (const transport of ['ws', 'sse'] as const) {
  test(`SX-8 the token opens calls and subscriptions alike over ${transport}`, async () => {
    await using server = await startTestServer({ settings: { token: TOKEN } })
    await using client = createClient({ url: server.url, token: TOKEN, transport })
    server.provider.script(reply({ text: 'Hello' }))
    const { id: sessionId } = await client.session.create.mutate({})
    const message = { parts: [{ type: 'text' as const, text: 'hi' }] }
    const { runId } = await client.session.send.mutate({ sessionId, message })
    const chunks = await Array.fromAsync(readRun(client, { sessionId, runId }))
    expect(chunks.at(-1)?.type).toBe('finish')
  })
}

test('SX-8 without the token calls fail, and an event stream fails for good', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  await using client = createClient({ url: server.url, token: 'wrong', transport: 'sse' })
  const failure = await client.session.list.query({}).catch((error: unknown) => error)
  expect(appCodeOf(failure)).toBe('UNAUTHORIZED')
  expect(isRefusal(failure)).toBe(true)
  const reading = Array.fromAsync(readRun(client, { sessionId: 'any' }))
  await expect(reading).rejects.toSatisfy(isRefusal)
})

test('AP-3 one socket carries all of a client’s subscriptions', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  const sessions = await Promise.all(Array.from({ length: 20 }, () => client.session.create.mutate({})))
  await Promise.all(sessions.map(({ id }) => eventWhere(client, id, ({ type }) => type === 'status')))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('palimpsest_websockets 1\n')
})

test('AP-3 six tabs on one server all stay live, over sockets and over events', async () => {
  await using server = await startTestServer()
  await using tabs = new AsyncDisposableStack()
  const clients = ['ws', 'ws', 'ws', 'ws', 'sse', 'sse'] as const
  const live = clients.map((transport) => tabs.use(createClient({ url: server.url, transport })))
  await using caller = createClient({ url: server.url })
  const { id } = await caller.session.create.mutate({})
  const renamed = live.map((tab) =>
    eventWhere(tab, id, (event) => event.type === 'session-changed' && event.session.title === 'Renamed'),
  )
  await Promise.all(live.map((tab) => eventWhere(tab, id, ({ type }) => type === 'status')))
  await caller.session.rename.mutate({ sessionId: id, title: 'Renamed' })
  expect(await Promise.all(renamed)).toHaveLength(6)
})

test('AP-1 an error reaches the caller with its code and field', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  const failure = await client.session.rename
    .mutate({ sessionId: 'any', title: 'x'.repeat(1000) })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ data: { appCode: 'INVALID_INPUT', field: 'title', httpStatus: 400 } })
})

test('CL-1 a call that no server answers is tried again until one does', async () => {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    if (calls < 3) request.socket.destroy()
    else response.setHeader('content-type', 'application/json').end('{"result":{"data":{"name":"there"}}}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  await expect(client.system.info.query()).rejects.toSatisfy(isUnreachable)
  expect(await untilReached(() => client.system.info.query())).toEqual({ name: 'there' })
  server.close()
})

test('CL-1 a refusal is not tried again', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  let calls = 0
  const call = () => {
    calls += 1
    return client.session.get.query({ sessionId: 'nowhere' })
  }
  await expect(untilReached(call)).rejects.toSatisfy((error) => appCodeOf(error) === 'SESSION_NOT_FOUND')
  expect(calls).toBe(1)
})

test('CL-1 an address that is none fails at once, with an example of one', () => {
  for (const url of ['', 'localhost:3000', 'ws://localhost:3000', '/trpc', 'http://']) {
    expect(() => createClient({ url })).toThrow(`such as http://localhost:3000, not at "${url}"`)
  }
})
