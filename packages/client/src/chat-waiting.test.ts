import { isToolPart } from '@palimpsest/core/domain'
import { startTestServer } from '@palimpsest/server/testing'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { chatTransport } from './chat-transport.ts'
import { createClient } from './create-client.ts'
import { startCuttingProxy } from './testing/cutting-proxy.ts'
import { openChat } from './testing/open-chat.ts'
import { textOf } from './testing/text-of.ts'

const ASKS = {
  name: 'question',
  input: { questions: [{ question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }] },
}

for (const transport of ['ws', 'sse'] as const) {
  test(`CL-1 a stock useChat streams on while its run waits for an answer, also after a cut, over ${transport}`, async () => {
    await using server = await startTestServer()
    await using proxy = await startCuttingProxy(server.port)
    await using client = createClient({ url: proxy.url, transport })
    await using elsewhere = createClient({ url: server.url })
    server.provider.script(reply({ text: 'Well. ', toolCalls: [ASKS] }), reply({ text: 'Left it is.' }))
    await using page = await openChat({ id: 'chat', transport: chatTransport(client) })
    void page.chat.sendMessage({ text: 'hi' })
    await page.until(({ messages }) => callsOf(messages[1])[0]?.state === 'input-available')
    const pending = async () => (await elsewhere.question.pending.query({ sessionId: 'chat' })).items
    await expect.poll(pending).toHaveLength(1)
    proxy.cut()
    const [question] = await pending()
    expect(page.chat.status).toBe('streaming')
    await elsewhere.question.answer.mutate({ questionId: question?.id ?? '', answers: [['Left']] })
    const chat = await page.until(({ status }) => status === 'ready' || status === 'error')
    const { items } = await elsewhere.session.messages.query({ sessionId: 'chat' })
    expect(chat.messages[1]).toEqual(items[1])
    expect(textOf(items[1])).toBe('Well. Left it is.')
    expect(callsOf(items[1])).toMatchObject([{ state: 'output-available' }])
  })
}

test('CL-1 a page that opens while a run waits shows the question once, and the rest after its answer', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  server.provider.script(reply({ text: 'Well. ', toolCalls: [ASKS] }), reply({ text: 'Right it is.' }))
  await client.session.create.mutate({ id: 'chat' })
  await client.session.send.mutate({ sessionId: 'chat', message: { parts: [{ type: 'text', text: 'hi' }] } })
  const pending = async () => (await client.question.pending.query({ sessionId: 'chat' })).items
  await expect.poll(pending).toHaveLength(1)
  const { items: messages } = await client.session.messages.query({ sessionId: 'chat' })
  const transport = chatTransport(client)
  await using page = await openChat({ id: 'chat', transport, messages, resume: true })
  await page.until(({ status }) => status === 'streaming')
  const [question] = await pending()
  await client.question.answer.mutate({ questionId: question?.id ?? '', answers: [['Right']] })
  const chat = await page.until(
    ({ status, messages: shown }) => status === 'ready' && textOf(shown[1]).endsWith('is.'),
  )
  const { items } = await client.session.messages.query({ sessionId: 'chat' })
  expect(chat.messages).toEqual(items)
})

function callsOf(message: Parameters<typeof textOf>[0]) {
  return message?.parts.filter(isToolPart) ?? []
}
