import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'

const KEY = 'canary-key-5c1d'

for (const store of ['memory', 'sqlite'] as const) {
  test(`UI-27 a session is inspected over the wire in pages, without any key (${store})`, async () => {
    await using server = await startTestServer({ store })
    const bodies: string[] = []
    async function call(path: string, type: 'query' | 'mutation', input: object) {
      const { failure, body } = await callProcedure(server.url, { path, type }, input)
      bodies.push(body)
      if (failure !== null) return { refused: [failure.data.appCode, failure.data.field] }
      return JSON.parse(body).result.data
    }
    server.provider.otherwise(reply({ text: 'Hello there' }))
    await call('provider.put', 'mutation', {
      id: 'mine',
      kind: 'openai-compatible',
      baseURL: server.provider.baseURL,
      apiKey: KEY,
      models: ['typed'],
    })
    const model = { providerId: 'mine', modelId: 'typed' }
    await call('session.create', 'mutation', { id: 'chat', title: 'Named', model })
    bodies.length = 0
    const message = { id: 'm1', parts: [{ type: 'text', text: 'Hello' }] }
    const { runId } = await call('session.send', 'mutation', { sessionId: 'chat', message })
    const stream = { path: 'session.stream', type: 'subscription' } as const
    await callProcedure(server.url, stream, { sessionId: 'chat', runId })

    const page = await call('inspect.messages', 'query', { sessionId: 'chat' })
    expect(page).toMatchObject({
      items: [
        { id: 'm1', role: 'user', text: 'Hello' },
        { role: 'assistant', model, costUsd: null, steps: [{ no: 1, finishReason: 'stop', calls: [] }] },
      ],
      nextCursor: null,
    })
    const messageId = page.items[1].id
    const tools = await call('inspect.tools', 'query', { sessionId: 'chat', messageId })
    expect(tools.digest).toBe(page.items[1].systemPromptDigest)
    expect(tools.items.map(({ id }: { id: string }) => id)).toContain('todo')

    const newest = await call('inspect.rows', 'query', { sessionId: 'chat', limit: 1 })
    expect(newest.items).toMatchObject([{ id: messageId, seq: 2 }])
    const cursor = newest.nextCursor
    const before = await call('inspect.rows', 'query', { sessionId: 'chat', limit: 1, cursor })
    expect(before).toMatchObject({ items: [{ id: 'm1', seq: 1 }], nextCursor: null })
    expect(bodies.join('\n')).not.toContain(KEY)

    const refused = { refused: ['INVALID_INPUT', 'limit'] }
    expect(await call('inspect.rows', 'query', { sessionId: 'chat', limit: 21 })).toEqual(refused)
    expect(await call('inspect.tools', 'query', { sessionId: 'chat', messageId: 'm1' })).toMatchObject({
      refused: ['MESSAGE_NOT_FOUND', undefined],
    })
  })
}
