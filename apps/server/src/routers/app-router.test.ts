import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

const TEXT = (text: string) => ({ parts: [{ type: 'text', text }] })

for (const store of ['memory', 'sqlite'] as const) {
  test(`SV-1 a session is created, used, archived and deleted over the wire (${store})`, async () => {
    await using server = await startTestServer({ store })
    const { ok, refused, ended } = callsTo(server)
    server.provider.otherwise(reply({ text: 'Hello there' }))
    const created = await ok('session.create', { id: 'chat', metadata: { from: 'a test' } })
    expect(created).toMatchObject({ id: 'chat', title: 'New chat', metadata: { from: 'a test' } })
    expect(await ok('session.create', { id: 'chat', metadata: { from: 'a test' } })).toEqual(created)
    expect(await refused('session.create', { id: 'chat', title: 'Another' })).toEqual([409, 'CONFLICT'])
    const half = { id: 'half', title: 'so \ud83d', metadata: { at: '\ud83d' } }
    const made = await ok('session.create', half)
    expect(made).toMatchObject({ title: 'so \ufffd', metadata: { at: '\ud83d' } })
    expect(await ok('session.create', half)).toEqual(made)
    await ok('session.delete', { sessionId: 'half' })

    const sent = await ok('session.send', {
      sessionId: 'chat',
      message: { id: 'm1', ...TEXT('the first words') },
    })
    expect(sent).toEqual({ messageId: 'm1', runId: expect.stringMatching(/^run_/), queued: false })
    expect(await ended(sent.runId)).toContain('finish')
    expect(
      await ok('session.send', { sessionId: 'chat', message: { id: 'm1', ...TEXT('the first words') } }),
    ).toEqual(sent)
    expect(await ok('session.status', { sessionId: 'chat' })).toEqual({ state: 'idle' })
    const { items } = await ok('session.messages', { sessionId: 'chat' })
    expect(items.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
    const content = await ok('session.content', { sessionId: 'chat' })
    expect(content).toMatchObject({ instructions: expect.any(Number), replies: expect.any(Number) })
    const prompt = await ok('session.systemPrompt', { sessionId: 'chat', messageId: items[1].id })
    expect(prompt).toMatchObject({ body: expect.any(String), digest: items[1].metadata.systemPromptDigest })
    expect(await ok('session.locate', { sessionId: 'elsewhere', messageId: 'm1' })).toMatchObject({
      session: { id: 'chat' },
      found: 'message',
    })
    expect((await ok('search.messages', { text: 'first' })).items).toMatchObject([{ messageId: 'm1' }])

    expect(await ok('session.rename', { sessionId: 'chat', title: ' Named ' })).toMatchObject({
      title: 'Named',
    })
    expect((await ok('session.list', { search: 'Named' })).items).toMatchObject([{ id: 'chat' }])
    await ok('session.archive', { sessionId: 'chat' })
    expect((await ok('session.list')).items).toEqual([])
    expect(await refused('session.send', { sessionId: 'chat', message: TEXT('x') })).toEqual([
      409,
      'SESSION_ARCHIVED',
    ])
    await ok('session.unarchive', { sessionId: 'chat' })
    expect(await ok('session.delete', { sessionId: 'chat' })).toEqual({ deleted: true })
    expect(await refused('session.get', { sessionId: 'chat' })).toEqual([404, 'SESSION_NOT_FOUND'])
  })

  test(`SV-1 messages are queued, reordered, edited, cancelled, restored and promoted over the wire (${store})`, async () => {
    await using server = await startTestServer({ store })
    const { ok, refused, ended } = callsTo(server)
    server.provider.script(reply({ text: ['a'], ending: 'stall' }), reply({ text: 'done' }))
    server.provider.otherwise(reply({ text: ['b'], ending: 'stall' }))
    await ok('session.create', { id: 'chat' })
    const { runId } = await ok('session.send', { sessionId: 'chat', message: { id: 'w', ...TEXT('one') } })
    for (const id of ['x', 'y', 'z']) {
      const sent = await ok('session.send', { sessionId: 'chat', message: { id, ...TEXT(id) } })
      expect(sent).toEqual({ messageId: id, queued: true })
    }
    expect(await refused('session.resend', { sessionId: 'chat', messageId: 'w' })).toEqual([
      409,
      'SESSION_BUSY',
    ])
    await ok('queue.edit', { sessionId: 'chat', messageId: 'y', ...TEXT('edited') })
    await ok('queue.reorder', { sessionId: 'chat', messageIds: ['z', 'y', 'x'] })
    expect(await refused('queue.reorder', { sessionId: 'chat', messageIds: ['z'] })).toEqual([
      409,
      'CONFLICT',
    ])
    expect(await ok('queue.cancel', { sessionId: 'chat', messageId: 'x' })).toEqual({ cancelled: true })
    const cancelled = { items: [{ id: 'x', metadata: { hiddenBy: 'cancelled' } }], nextCursor: null }
    expect(await ok('queue.cancelled', { sessionId: 'chat', limit: 1 })).toMatchObject(cancelled)
    const restored = await ok('queue.restore', { sessionId: 'chat', messageId: 'x' })
    expect(restored).toEqual({ messageId: 'x', queued: true })
    await ok('queue.cancel', { sessionId: 'chat', messageId: 'x' })
    const queue = await ok('queue.list', { sessionId: 'chat' })
    expect(queue).toMatchObject([{ id: 'z' }, { id: 'y', parts: [{ text: 'edited' }] }])
    const promoted = await ok('queue.promote', { sessionId: 'chat', messageId: 'y' })
    expect(promoted.runId).not.toBe(runId)
    expect(await ended(runId)).toContain('abort')
    await ok('session.abort', { sessionId: 'chat' })
  })
}

test('SV-6 a session is read with its state and its usage while a run is in progress', async () => {
  await using server = await startTestServer()
  const { ok } = callsTo(server)
  server.provider.script(reply({ text: ['a'], ending: 'stall' }))
  await ok('session.create', { id: 'chat' })
  const { runId } = await ok('session.send', { sessionId: 'chat', message: TEXT('one') })
  expect(await ok('session.get', { sessionId: 'chat' })).toMatchObject({
    status: { state: 'busy', runId },
    activeRun: { runId },
    usage: { promptTokens: 0, totalTokens: 0 },
    contextWindow: { limit: 128_000 },
  })
  expect(await ok('session.abort', { sessionId: 'chat', runId: 'run_other' })).toEqual({ aborted: false })
  expect(await ok('session.abort', { sessionId: 'chat', runId })).toEqual({ aborted: true })
  expect(await ok('session.abort', { sessionId: 'chat', runId })).toEqual({ aborted: false })
})

test('SV-2 models, usage and system information are returned, without a key or path', async () => {
  await using server = await startTestServer()
  const { ok } = callsTo(server)
  expect(await ok('model.list')).toMatchObject({ defaultModel: { providerId: 'lab', modelId: 'm1' } })
  expect(await ok('usage.report')).toMatchObject({ rows: [], counts: { sessions: 0, messages: 0 } })
  const info = await ok('system.info')
  expect(info).toMatchObject({ name: 'Palimpsest', activeRuns: 0, limits: { pageSize: 200 } })
  expect(JSON.stringify(info)).not.toContain(process.cwd())
})

test('SA-6 agent.list names the agents with their modes and tools', async () => {
  await using server = await startTestServer()
  const { items } = await callsTo(server).ok('agent.list')
  expect(items).toMatchObject([
    { id: 'assistant', mode: 'primary', tools: expect.arrayContaining(['read', 'task']) },
    { id: 'general', mode: 'subagent', tools: expect.arrayContaining(['write', 'task']) },
    { id: 'explore', mode: 'subagent', description: expect.stringContaining('changes nothing') },
  ])
  const [, , explore] = items
  expect(explore.tools).not.toContain('write')
  expect(explore.tools).not.toContain('task')
})

function callsTo(server: TestServer) {
  const call = async (path: string, input?: object) => {
    const procedure = PROCEDURES.find((one) => one.path === path)
    if (procedure === undefined) throw new Error(`There is no ${path}.`)
    return await callProcedure(server.url, procedure, input)
  }
  return {
    async ok(path: string, input?: object) {
      const { failure, body } = await call(path, input)
      if (failure !== null) throw new Error(`${path}: ${failure.message}`)
      return JSON.parse(body).result.data
    },
    /** The body of the run's stream. */
    async ended(runId: string) {
      return (await call('session.stream', { sessionId: 'chat', runId })).body
    },
    async refused(path: string, input?: object) {
      const { status, failure } = await call(path, input)
      return [status, failure?.data.appCode]
    },
  }
}
