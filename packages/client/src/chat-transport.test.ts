import type { ChatMessage } from '@palimpsest/core/domain'
import { startTestServer } from '@palimpsest/server/testing'
import { deltas, failure, reply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chatTransport } from './chat-transport.ts'
import { createClient } from './create-client.ts'
import { startCuttingProxy } from './testing/cutting-proxy.ts'
import { queueOf } from './testing/event-where.ts'
import { openChat } from './testing/open-chat.ts'
import { textOf } from './testing/text-of.ts'

const TRANSPORTS = ['ws', 'sse'] as const
const finished = ({ status }: { status: string }) => status === 'ready' || status === 'error'

for (const transport of TRANSPORTS) {
  test(`CL-1 a stock useChat sends, streams and ends with the stored message over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    server.provider.script(reply({ reasoning: ['hm'], text: ['Hel', 'lo'] }))
    await using page = await openChat({ id: 'chat-1', transport: chatTransport(client) })
    void page.chat.sendMessage({ text: 'hi' })
    const chat = await page.until(({ messages, status }) => messages.length === 2 && status === 'ready')
    const { items } = await client.session.messages.query({ sessionId: 'chat-1' })
    expect(textOf(chat.messages[1])).toBe('Hello')
    expect(chat.messages[1]).toEqual(items[1])
    expect(chat.messages[0]?.id).toBe(items[0]?.id)
  })

  test(`CL-1 a reply arrives whole and once however often the connection is cut over ${transport}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 4 }), async (cutsAt) => {
        await using server = await startTestServer()
        await using proxy = await startCuttingProxy(server.port)
        await using client = createClient({ url: proxy.url, transport })
        const words = Array.from({ length: 150 }, (_, index) => `w${index} `)
        server.provider.script(reply({ text: words, everyMs: 1 }))
        await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
        void page.chat.sendMessage({ text: 'hi' })
        for (const at of cutsAt.toSorted((a, b) => a - b)) {
          await page.until((chat) => textOf(chat.messages[1]).includes(`w${at} `) || finished(chat))
          proxy.cut()
        }
        const chat = await page.until(({ messages, status }) => messages.length === 2 && status === 'ready')
        expect(textOf(chat.messages[1])).toBe(words.join(''))
        const { items } = await client.session.messages.query({ sessionId: 'chat' })
        expect(chat.messages[1]).toEqual(items[1])
      }),
      { numRuns: 8 },
    )
  })

  test(`CL-1 stop ends the run on the server and keeps what had arrived over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    server.provider.script(reply({ text: ['one', 'two'], ending: 'stall' }))
    await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
    void page.chat.sendMessage({ text: 'hi' })
    await page.until((chat) => textOf(chat.messages[1]) === 'onetwo')
    await page.chat.stop()
    expect(await server.provider.closed(0)).toMatchObject({ by: 'client' })
    const { items } = await client.session.messages.query({ sessionId: 'chat' })
    expect(items[1]?.metadata?.finishReason).toBe('aborted')
    expect(textOf(items[1])).toBe('onetwo')
  })

  test(`CL-1 a page that opens in mid-answer with a stale partial shows the reply once over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    const rest = Promise.withResolvers<void>()
    server.provider.script(reply({ text: ['a', 'b', 'c', 'd'], hold: { before: 2, until: rest.promise } }))
    await using first = await openChat({ id: 'chat', transport: chatTransport(client) })
    void first.chat.sendMessage({ text: 'hi' })
    await first.until((chat) => textOf(chat.messages[1]) === 'ab')
    const { items } = await client.session.messages.query({ sessionId: 'chat' })
    await using second = await openChat({
      id: 'chat',
      transport: chatTransport(client),
      messages: items,
      resume: true,
    })
    await second.until(({ status }) => status === 'streaming')
    rest.resolve()
    const chat = await second.until(
      ({ status, messages }) => status === 'ready' && textOf(messages[1]) === 'abcd',
    )
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages[1]).toEqual((await client.session.messages.query({ sessionId: 'chat' })).items[1])
  })
}

test('CL-1 without a run to resume, a known or unknown chat is not changed', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  await client.session.create.mutate({ id: 'known' })
  const transport = chatTransport(client)
  expect(await transport.reconnectToStream({ chatId: 'known' })).toBeNull()
  expect(await transport.reconnectToStream({ chatId: 'unknown' })).toBeNull()
})

test('CL-1 regenerate answers the last message of the user again', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.script(reply({ text: 'first' }), reply({ text: 'second' }))
  await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
  await page.chat.sendMessage({ text: 'hi' })
  await page.chat.regenerate()
  const chat = await page.until(
    ({ messages, status }) => status === 'ready' && textOf(messages[1]) === 'second',
  )
  expect(chat.messages).toHaveLength(2)
  expect((await client.session.messages.query({ sessionId: 'chat' })).items.map(textOf)).toEqual([
    'hi',
    'second',
  ])
})

test('CL-1 an edited message replaces the one before, and can be edited and regenerated again', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.script(...['a', 'b', 'c', 'd'].map((text) => reply({ text })))
  await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
  await page.chat.sendMessage({ text: 'one' })
  const messageId = page.chat.messages[0]?.id ?? ''
  await page.chat.sendMessage({ text: 'two', messageId })
  await page.chat.sendMessage({ text: 'three', messageId })
  await page.chat.regenerate()
  const { items } = await client.session.messages.query({ sessionId: 'chat' })
  expect(items.map(textOf)).toEqual(['three', 'd'])
  expect(page.chat.messages.map(textOf)).toEqual(['three', 'd'])
})

test('CL-1 a message sent while a run is on waits its turn and then streams', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  const rest = Promise.withResolvers<void>()
  server.provider.script(
    reply({ text: ['first'], hold: { before: 1, until: rest.promise } }),
    reply({ text: ['second'] }),
  )
  await client.session.create.mutate({ id: 'chat' })
  await client.session.send.mutate({ sessionId: 'chat', message: { parts: [{ type: 'text', text: 'one' }] } })
  const sent = chatTransport(client).sendMessages({
    trigger: 'submit-message',
    chatId: 'chat',
    messageId: undefined,
    messages: [userMessage('two')],
    abortSignal: undefined,
  })
  await queueOf(client, 'chat', 1)
  rest.resolve()
  const chunks = await Array.fromAsync(await sent)
  expect(chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join('')).toBe(
    'second',
  )
})

test('CL-1 stopping a message that waits takes it out of the queue', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.script(reply({ text: ['first'], ending: 'stall' }))
  await client.session.create.mutate({ id: 'chat' })
  await client.session.send.mutate({ sessionId: 'chat', message: { parts: [{ type: 'text', text: 'one' }] } })
  const stop = new AbortController()
  const sent = chatTransport(client).sendMessages({
    trigger: 'submit-message',
    chatId: 'chat',
    messageId: undefined,
    messages: [userMessage('two')],
    abortSignal: stop.signal,
  })
  await queueOf(client, 'chat', 1)
  stop.abort()
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
  await queueOf(client, 'chat', 0)
})

test('CL-1 a send that the server refuses is the chat’s error, in words for a person', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  await using page = await openChat({
    id: 'chat',
    transport: chatTransport(client, { createSession: false }),
  })
  await page.chat.sendMessage({ text: 'hi' })
  const { error } = await page.until(({ status }) => status === 'error')
  expect(error?.message).toBe('There is no such session.')
})

test('CL-1 a provider that fails is the chat’s error too', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.otherwise(failure(400, 'This model is gone.'))
  await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
  await page.chat.sendMessage({ text: 'hi' })
  const { error } = await page.until(({ status }) => status === 'error')
  expect(error?.message).not.toBe('')
})

test('CL-1 a send is carried out once though its answer was lost', async () => {
  await using server = await startTestServer()
  await using proxy = await startCuttingProxy(server.port)
  await using client = createClient({ url: proxy.url })
  server.provider.otherwise(reply({ text: deltas(3) }))
  const reopen = proxy.close()
  await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
  const sent = page.chat.sendMessage({ text: 'hi' })
  reopen()
  await sent
  const { items } = await client.session.messages.query({ sessionId: 'chat', hidden: true })
  expect(items).toHaveLength(2)
})

function userMessage(text: string): ChatMessage {
  return { id: 'from-the-user', role: 'user', parts: [{ type: 'text', text }] }
}
