import { readUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import type { ChatChunk, ChatMessage } from '../domain/message.ts'
import { openCoreLab } from '../testing/core-lab.ts'
import { deltas, failure, reply } from '../testing/scripted-provider-reply.ts'

test('RU-3 the user message is on disk before the provider sees it', async () => {
  await using lab = await openCoreLab()
  const stored: number[] = []
  const { id: sessionId } = await lab.sessions.create({})
  lab.provider.script(() => {
    void lab.sessions.messages({ sessionId }).then(({ items }) => stored.push(items.length))
    return reply({ text: 'Hello' })
  })
  await lab.turn('Hi', sessionId)
  expect(stored).toEqual([1])
})

test('RU-2 a reply of text is stored as the AI SDK reduces its chunks', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: deltas(200, 'ab ') }))
  const { chunks, messages } = await lab.turn('Hi')
  expect(messages).toHaveLength(2)
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
})

test('RU-2 a run of tool steps is stored as the AI SDK reduces its chunks', async () => {
  await using lab = await openCoreLab()
  const items = [{ text: 'Look', status: 'completed' }]
  lab.provider.script(
    reply({ text: 'Let me note that.', toolCalls: [{ name: 'todo', input: { items } }] }),
    reply({ text: 'Noted.' }),
  )
  const { chunks, messages } = await lab.turn('Plan')
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'text',
    'tool-todo',
    'step-start',
    'text',
  ])
  expect(messages[1]?.metadata?.usage?.steps).toBe(2)
})

test('RU-4 a run ends with the step that makes no tool call', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  await lab.turn('Hi')
  expect(lab.provider.requests.filter(({ body }) => body['stream'])).toHaveLength(1)
})

test('RL-3 a provider that refuses the key ends the run in a named state and the next send works', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(failure(401, 'Incorrect API key provided'), reply({ text: 'Better' }))
  const { sessionId, messages } = await lab.turn('Hi')
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'error', error: { code: 'PROVIDER_ERROR' } })
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error' })
  const next = await lab.turn('Again', sessionId)
  expect(next.messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Better' })
})

async function reduceBySdk(chunks: ChatChunk[]): Promise<ChatMessage | undefined> {
  const stream = new ReadableStream<ChatChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  return (await Array.fromAsync(readUIMessageStream<ChatMessage>({ stream }))).at(-1)
}
