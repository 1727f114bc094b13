import { startTestServer } from '@palimpsest/server/testing'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { chatTransport } from './chat-transport.ts'
import { createClient } from './create-client.ts'
import { startCuttingProxy } from './testing/cutting-proxy.ts'
import { openChat } from './testing/open-chat.ts'
import { textOf } from './testing/text-of.ts'

const SCRIPT = {
  reasoning: ['hm ', 'so '],
  text: ['one ', 'two ', 'three '],
  toolCalls: [{ name: 'todo', input: { todos: [{ content: 'a', status: 'pending' }] } }],
}
/** Deltas of the script: what is held before each of them is a boundary. */
const BOUNDARIES = SCRIPT.reasoning.length + SCRIPT.text.length + 3

for (const transport of ['ws', 'sse'] as const) {
  test(`CL-1 a page opened at any chunk of a reply, with a partial of any earlier one, ends with the stored reply over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    for (let held = 0; held <= BOUNDARIES; held++) {
      const rest = Promise.withResolvers<void>()
      server.provider.script(
        reply({ ...SCRIPT, hold: { before: held, until: rest.promise } }),
        reply({ text: ['Done.'] }),
      )
      const sessionId = `chat-${held}`
      await client.session.create.mutate({ id: sessionId, title: 'Resumed' })
      const message = { parts: [{ type: 'text' as const, text: 'hi' }] }
      await client.session.send.mutate({ sessionId, message })
      await server.provider.received(2 * held)
      const { items: stale } = await client.session.messages.query({ sessionId })
      await using page = await openChat({
        id: sessionId,
        transport: chatTransport(client),
        messages: stale,
        resume: true,
      })
      rest.resolve()
      const chat = await page.until(
        ({ status, messages }) => status === 'ready' && textOf(messages[1]).endsWith('Done.'),
      )
      const { items } = await client.session.messages.query({ sessionId })
      expect(chat.messages[1], `held before ${held}`).toEqual(items[1])
    }
  })

  test(`CL-1 a reply whose connection is cut at every one of its chunks arrives whole and once over ${transport}`, async () => {
    await using server = await startTestServer()
    await using proxy = await startCuttingProxy(server.port)
    await using client = createClient({ url: proxy.url, transport })
    const words = ['a ', 'b ', 'c ', 'd ']
    const gates = words.map(() => Promise.withResolvers<void>())
    server.provider.script({
      ...reply(),
      steps: framesOf(words).flatMap((send, index) => [
        { send },
        ...(gates[index] === undefined ? [] : [{ until: gates[index].promise }]),
      ]),
    })
    await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
    void page.chat.sendMessage({ text: 'hi' })
    for (const [index, gate] of gates.entries()) {
      const upTo = words.slice(0, index + 1).join('')
      await page.until((chat) => textOf(chat.messages[1]) === upTo)
      proxy.cut()
      gate.resolve()
    }
    const chat = await page.until(({ messages, status }) => messages.length === 2 && status === 'ready')
    const { items } = await client.session.messages.query({ sessionId: 'chat' })
    expect(textOf(chat.messages[1])).toBe(words.join(''))
    expect(chat.messages[1]).toEqual(items[1])
  })
}

/** The frames of a chat completion, one a word, and one for its end. */
function framesOf(words: readonly string[]): string[] {
  const frame = (choice: object) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`
  return [
    ...words.map((content) => frame({ delta: { content }, finish_reason: null })),
    `${frame({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
  ]
}

test('CL-1 a page that reconnects after the reply has ended shows it once', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.script(reply({ text: ['whole'] }))
  await using first = await openChat({ id: 'chat', transport: chatTransport(client) })
  await first.chat.sendMessage({ text: 'hi' })
  const { items } = await client.session.messages.query({ sessionId: 'chat' })
  await using second = await openChat({
    id: 'chat',
    transport: chatTransport(client),
    messages: items,
    resume: true,
  })
  const chat = await second.until(({ status }) => status === 'ready')
  expect(chat.messages).toEqual(items)
})

test('CL-1 a partial that is older than the end of its run becomes the whole reply', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.script(reply({ text: ['whole ', 'reply'] }))
  await using first = await openChat({ id: 'chat', transport: chatTransport(client) })
  await first.chat.sendMessage({ text: 'hi' })
  const { items } = await client.session.messages.query({ sessionId: 'chat' })
  const partial = items.map((message) =>
    message.role === 'user' ? message : { ...message, metadata: undefined, parts: message.parts.slice(0, 1) },
  )
  await using second = await openChat({
    id: 'chat',
    transport: chatTransport(client),
    messages: partial as typeof items,
    resume: true,
  })
  const chat = await second.until(
    ({ status, messages }) => status === 'ready' && textOf(messages[1]) === 'whole reply',
  )
  expect(chat.messages).toEqual(items)
})

test('CL-1 two pages of one chat that resume at once show the same reply', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  const rest = Promise.withResolvers<void>()
  server.provider.script(reply({ text: ['a', 'b'], hold: { before: 1, until: rest.promise } }))
  await using first = await openChat({ id: 'chat', transport: chatTransport(client) })
  void first.chat.sendMessage({ text: 'hi' })
  await first.until((chat) => textOf(chat.messages[1]) === 'a')
  const { items: messages } = await client.session.messages.query({ sessionId: 'chat' })
  await using pages = new AsyncDisposableStack()
  const opened = await Promise.all(
    [1, 2, 3].map(() => openChat({ id: 'chat', transport: chatTransport(client), messages, resume: true })),
  )
  for (const page of opened) pages.use(page)
  rest.resolve()
  for (const page of [first, ...opened]) {
    await page.until(({ status, messages: shown }) => status === 'ready' && textOf(shown[1]) === 'ab')
  }
  const { items } = await client.session.messages.query({ sessionId: 'chat' })
  for (const page of [first, ...opened]) expect(page.chat.messages[1]).toEqual(items[1])
})
