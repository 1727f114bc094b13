import type { ChatChunk, SessionFeedEvent } from '@palimpsest/core/domain'
import { startTestServer } from '@palimpsest/server/testing'
import { deltas, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import type { Api } from './api.ts'
import { createClient } from './create-client.ts'
import { followRun } from './follow-run.ts'
import { readRun } from './read-run.ts'
import { startCuttingProxy } from './testing/cutting-proxy.ts'

for (const transport of ['ws', 'sse'] as const) {
  test(`LS-2 twenty viewers that attach at any moment each get every chunk once over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    server.provider.script(reply({ text: deltas(300), everyMs: 1 }))
    const { sessionId, runId } = await say(client, 'hi')
    const viewers: Promise<string>[] = []
    for await (const chunk of readRun(client, { sessionId, runId })) {
      if (viewers.length < 20 || chunk.type === 'finish') viewers.push(readText(client, { sessionId, runId }))
    }
    const texts = await Promise.all(viewers)
    expect(texts.length).toBeGreaterThan(5)
    expect(new Set(texts)).toEqual(new Set(['word '.repeat(300)]))
  })

  test(`AP-5 a run of an unknown session ends with a 404 and is not retried over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    const reading = readText(client, { sessionId: 'nowhere', runId: 'run_1' })
    await expect(reading).rejects.toMatchObject({ data: { httpStatus: 404, appCode: 'SESSION_NOT_FOUND' } })
  })

  test(`AP-2 events missed during a lost connection are replaced by the current state over ${transport}`, async () => {
    await using server = await startTestServer()
    await using proxy = await startCuttingProxy(server.port)
    await using cut = createClient({ url: proxy.url, transport })
    await using steady = createClient({ url: server.url })
    server.provider.script(reply({ text: ['a'], ending: 'stall' }))
    const { sessionId } = await say(steady, 'hi')
    const statuses: string[] = []
    const settled = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    using _subscription = disposable(
      cut.session.events.subscribe(
        { sessionId },
        {
          onStarted: () => started.resolve(),
          onData(event: SessionFeedEvent) {
            if (event.type === 'status') statuses.push(event.status.state)
            if (event.type === 'status' && event.status.state === 'idle') settled.resolve()
          },
        },
      ),
    )
    await started.promise
    const reopen = proxy.close()
    await steady.session.abort.mutate({ sessionId })
    reopen()
    await settled.promise
    expect(statuses.at(-1)).toBe('idle')
  })

  test(`LS-5 a finished run replays for a viewer that gives its id over ${transport}`, async () => {
    await using server = await startTestServer()
    await using client = createClient({ url: server.url, transport })
    server.provider.script(reply({ text: deltas(5) }))
    const { sessionId, runId } = await say(client, 'hi')
    expect(await readText(client, { sessionId, runId })).toBe('word '.repeat(5))
    expect(await readText(client, { sessionId, runId })).toBe('word '.repeat(5))
    expect(await readText(client, { sessionId, runId: undefined })).toBe('')
  })
}

test('LS-1 a viewer that detaches does not stop the run', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  const rest = Promise.withResolvers<void>()
  server.provider.script(reply({ text: ['a', 'b'], hold: { before: 1, until: rest.promise } }))
  const { sessionId, runId } = await say(client, 'hi')
  for await (const chunk of readRun(client, { sessionId, runId })) if (chunk.type === 'text-delta') break
  rest.resolve()
  expect(await readText(client, { sessionId, runId })).toBe('ab')
})

test('AP-2 a run whose server was killed ends as incomplete, so that the stored message is read', async () => {
  const server = await startTestServer()
  await using proxy = await startCuttingProxy(server.port)
  await using client = createClient({ url: proxy.url })
  const { id: sessionId } = await client.session.create.mutate({})
  const end = Promise.withResolvers<{ complete: boolean }>()
  using _following = followRun(client, {
    sessionId,
    runId: 'run_of_an_earlier_life',
    onChunks: () => undefined,
    onEnd: end.resolve,
    onError: end.reject,
  })
  expect(await end.promise).toEqual({ complete: false })
  await server[Symbol.asyncDispose]()
})

test('AP-2 following a run that was detached before it began does nothing', async () => {
  await using server = await startTestServer()
  await using client = createClient({ url: server.url })
  const chunks: ChatChunk[] = []
  using _following = followRun(client, {
    sessionId: 'nowhere',
    signal: AbortSignal.abort(),
    onChunks: (more) => chunks.push(...more),
    onEnd: () => expect.fail('It never began.'),
    onError: () => expect.fail('It never began.'),
  })
  await client.system.info.query()
  expect(chunks).toEqual([])
})

async function say(client: Api, text: string): Promise<{ sessionId: string; runId: string | undefined }> {
  const { id: sessionId } = await client.session.create.mutate({})
  const { runId } = await client.session.send.mutate({
    sessionId,
    message: { parts: [{ type: 'text', text }] },
  })
  return { sessionId, runId }
}

async function readText(client: Api, run: { sessionId: string; runId: string | undefined }): Promise<string> {
  const chunks = await Array.fromAsync(readRun(client, run))
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')
}

function disposable({ unsubscribe }: { unsubscribe(): void }): Disposable {
  return { [Symbol.dispose]: unsubscribe }
}
