import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSource } from 'eventsource'
import { expect, test, vi } from 'vitest'
import { createClient } from './create-client.ts'

type Stream = { request: IncomingMessage; response: ServerResponse; say(event: string, data: unknown): void }

/** A server that answers each event stream as a test sets. */
async function openStreams() {
  const waiting: ((stream: Stream) => void)[] = []
  const arrived: Stream[] = []
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const say = (event: string, data: unknown) => {
      response.write(`${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
    }
    response.write('retry: 1\n\n')
    say('connected', {})
    const stream = { request, response, say }
    const take = waiting.shift()
    if (take === undefined) arrived.push(stream)
    else take(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next(): Promise<Stream> {
      const there = arrived.shift()
      return there === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(there)
    },
    get unasked() {
      return arrived.length
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** The events of a subscription, as a list that a test can wait for. */
function notes() {
  const received: string[] = []
  const waiting: { length: number; resolve(): void }[] = []
  return {
    received,
    note(what: string) {
      received.push(what)
      for (const { length, resolve } of waiting) if (received.length >= length) resolve()
    },
    until(length: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (received.length >= length) resolve()
      waiting.push({ length, resolve })
      return promise
    },
  }
}

function listen(client: ReturnType<typeof createClient>, { note }: ReturnType<typeof notes>) {
  return client.session.events.subscribe(
    { sessionId: 's' },
    {
      onStarted: () => note('started'),
      onData: (event) => note(event.type),
      onComplete: () => note('complete'),
      onError: ({ data, message }) => note(`error ${data?.appCode ?? message}`),
    },
  )
}

test('AP-3 an event stream is requested by GET, with the input in its URL and the token in a header', async () => {
  await using server = await openStreams()
  await using client = createClient({ url: server.url, token: 'secret', transport: 'sse' })
  const heard = notes()
  listen(client, heard)
  const { request } = await server.next()
  const url = new URL(request.url ?? '', server.url)
  expect([request.method, url.pathname]).toEqual(['GET', '/trpc/session.events'])
  expect(JSON.parse(url.searchParams.get('input') ?? '')).toEqual({ sessionId: 's' })
  expect(request.headers).toMatchObject({
    accept: 'text/event-stream',
    authorization: 'Bearer secret',
    'x-palimpsest-client': '1',
  })
  expect(request.url).not.toContain('secret')
})

test('AP-2 a stream that drops is requested again, and starts over', async () => {
  await using server = await openStreams()
  await using client = createClient({ url: server.url, transport: 'sse' })
  const heard = notes()
  listen(client, heard)
  const first = await server.next()
  first.say('', { type: 'status' })
  await heard.until(2)
  first.response.destroy()
  const second = await server.next()
  second.say('', { type: 'queue' })
  await heard.until(4)
  expect(heard.received).toEqual(['started', 'status', 'started', 'queue'])
})

test('AP-5 a stream that ends with a refusal is not requested again', async () => {
  await using server = await openStreams()
  await using client = createClient({ url: server.url, transport: 'sse' })
  const heard = notes()
  listen(client, heard)
  const { say } = await server.next()
  say('serialized-error', {
    code: -32_004,
    message: 'No.',
    data: { httpStatus: 404, appCode: 'SESSION_NOT_FOUND' },
  })
  await heard.until(2)
  expect(heard.received).toEqual(['started', 'error SESSION_NOT_FOUND'])
  expect(server.unasked).toBe(0)
})

test('AP-3 closing a client ends all its open streams', async () => {
  await using server = await openStreams()
  const client = createClient({ url: server.url, transport: 'sse' })
  const heard = notes()
  listen(client, heard)
  listen(client, heard)
  const streams = [await server.next(), await server.next()]
  await heard.until(2)
  const closed = streams.map(({ response }) => once(response, 'close'))
  await client.dispose()
  await Promise.all(closed)
  expect(heard.received).toEqual(['started', 'started'])
})

test('LS-1 ending a subscription closes its stream and no other', async () => {
  await using server = await openStreams()
  await using client = createClient({ url: server.url, transport: 'sse' })
  const [left, kept] = [notes(), notes()]
  const subscription = listen(client, left)
  const first = await server.next()
  listen(client, kept)
  const second = await server.next()
  await left.until(1)
  const closed = once(first.response, 'close')
  subscription.unsubscribe()
  await closed
  second.say('', { type: 'status' })
  await kept.until(2)
  expect(kept.received).toEqual(['started', 'status'])
  expect(left.received).not.toContain('status')
})

test('AP-3 a stream that ended, was closed or was refused is released before its client closes', async () => {
  await using server = await openStreams()
  const client = createClient({ url: server.url, transport: 'sse' })
  const heard = notes()
  listen(client, heard)
  ;(await server.next()).say('return', '')
  await heard.until(2)
  const givenUp = listen(client, heard)
  const second = await server.next()
  await heard.until(3)
  const closed = once(second.response, 'close')
  givenUp.unsubscribe()
  await closed
  listen(client, heard)
  ;(await server.next()).say('serialized-error', { code: -32_004, message: 'No.', data: { httpStatus: 404 } })
  await heard.until(5)
  const close = vi.spyOn(EventSource.prototype, 'close')
  await client.dispose()
  expect(close).not.toHaveBeenCalled()
  close.mockRestore()
})
