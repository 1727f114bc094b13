import { createMemoryStore, createMemoryTables } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { badInput, SAMPLES } from '../testing/bad-inputs.ts'
import { type CallFailure, callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'

const RUNS = process.env['TEST_PROFILE'] === 'long' ? 100_000 : 2000
/** What fits into a request line. */
const QUERY_CHARACTERS = 2000
const BODY_CHARACTERS = 2_000_000

const badCalls = fc.constantFrom(...PROCEDURES).chain((procedure) =>
  fc.record({
    procedure: fc.constant(procedure),
    input: badInput(procedure.path, procedure.type === 'mutation' ? BODY_CHARACTERS : QUERY_CHARACTERS),
  }),
)

test('RL-7 AP-1 bad input to any procedure is a typed error that names its field, and nothing is written', async () => {
  const tables = createMemoryTables()
  await using server = await startTestServer({ store: createMemoryStore(tables) })
  const before = JSON.stringify(contentOf(tables))
  await fc.assert(
    fc.asyncProperty(badCalls, async ({ procedure, input }) => {
      const { status, failure, body } = await callProcedure(server.url, procedure, input)
      expect(status).toBe(400)
      expect(failure?.data.appCode).toBe('INVALID_INPUT')
      expect(failure?.data.field).toEqual(expect.stringMatching(/./))
      expectDiscreet(failure, body)
    }),
    { numRuns: RUNS },
  )
  expect(JSON.stringify(contentOf(tables))).toBe(before)
}, 600_000)

test('RL-7 for any JSON that a query or a mutation receives, the server never fails', async () => {
  await using server = await startTestServer()
  const calls = fc.record({
    procedure: fc.constantFrom(...PROCEDURES.filter(({ type }) => type !== 'subscription')),
    input: fc.jsonValue({ maxDepth: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(calls, async ({ procedure, input }) => {
      const { status, failure, body } = await callProcedure(server.url, procedure, input)
      expect(status).toBeLessThan(500)
      expectDiscreet(failure, body)
    }),
    { numRuns: RUNS / 4 },
  )
}, 600_000)

test('AP-1 a call without its required input is refused by name, and one with optional input is answered', async () => {
  await using server = await startTestServer()
  const optional = [
    'session.create',
    'session.list',
    'permission.pending',
    'permission.rules',
    'question.pending',
    'process.list',
    'hook.list',
    'agent.list',
    'memory.list',
    'instruction.list',
    'skill.list',
    'command.list',
    'agentFile.list',
    'trust.list',
    'mcp.servers',
    'model.list',
    'settings.get',
    'provider.list',
    'usage.report',
    'system.info',
    'system.storage',
  ]
  for (const procedure of PROCEDURES.filter(({ path }) => path !== 'session.events')) {
    const { path } = procedure
    const { status, failure } = await callProcedure(server.url, procedure, undefined)
    const { message, data } = failure ?? {}
    if (optional.includes(path)) expect([path, status]).toEqual([path, 200])
    else {
      expect([path, status, data?.appCode, data?.field, message]).toEqual([
        path,
        400,
        'INVALID_INPUT',
        'input',
        'input: is missing (expected object)',
      ])
    }
  }
})

test('AP-1 unknown ids are 404 on every procedure that names a session', async () => {
  await using server = await startTestServer()
  const lenient = [
    'session.create',
    'session.list',
    'session.import',
    'session.fit',
    'session.locate',
    'search.messages',
    'usage.report',
    'hook.list',
    'agent.list',
    'memory.list',
    'memory.write',
    'memory.delete',
    'model.list',
    'system.info',
    'system.storage',
    'permission.reply',
    'question.answer',
    'settings.get',
    'settings.set',
    'provider.list',
    'provider.put',
    'provider.test',
    'provider.remove',
    'trust.revoke',
    'mcp.test',
    'mcp.put',
    'mcp.remove',
    'mcp.servers',
    'mcp.reconnect',
    'mcp.signIn',
    'mcp.signOut',
  ]
  for (const procedure of PROCEDURES.filter(({ path }) => !lenient.includes(path))) {
    const sample = { ...SAMPLES[procedure.path], cursor: undefined, model: undefined, agent: undefined }
    const { status, failure } = await callProcedure(server.url, procedure, sample)
    expect([procedure.path, status, failure?.data.appCode]).toEqual([
      procedure.path,
      404,
      'SESSION_NOT_FOUND',
    ])
  }
})

test('AP-1 a reply to nothing that was asked is refused by the name of its id', async () => {
  await using server = await startTestServer()
  for (const [path, field] of [
    ['permission.reply', 'permissionId'],
    ['question.answer', 'questionId'],
  ] as const) {
    const procedure = { path, type: 'mutation' } as const
    const { status, failure } = await callProcedure(server.url, procedure, SAMPLES[path])
    expect([status, failure?.data]).toMatchObject([400, { appCode: 'INVALID_INPUT', field }])
  }
})

test('AP-1 an unknown message id is 404', async () => {
  await using server = await startTestServer()
  await server.ports.store.sessions.create(newSession('s'))
  for (const path of [
    'session.resend',
    'session.systemPrompt',
    'queue.edit',
    'queue.cancel',
    'queue.restore',
    'queue.promote',
  ]) {
    const procedure = PROCEDURES.find((one) => one.path === path)
    const sample = { ...SAMPLES[path], model: undefined }
    const call = procedure && (await callProcedure(server.url, procedure, sample))
    expect([path, call?.status, call?.failure?.data.appCode]).toEqual([path, 404, 'MESSAGE_NOT_FOUND'])
  }
})

test('AP-4 deep nesting, half an attachment and a remote file are refused by field', async () => {
  await using server = await startTestServer()
  const send = (parts: unknown[]) =>
    callProcedure(
      server.url,
      { path: 'session.send', type: 'mutation' },
      { sessionId: 's', message: { parts } },
    )
  const file = (url: string) => [{ type: 'file', mediaType: 'image/png', url }]
  for (const url of [
    'https://evil.example/a.png',
    'file:///etc/passwd',
    'data:image/png,raw',
    'data:image/png;base64,!!',
  ]) {
    expect((await send(file(url))).failure?.data.field).toBe('message.parts.0.url')
  }
  const tooMany = Array.from({ length: 11 }, () => file('data:image/png;base64,AAAA')[0])
  expect((await send(tooMany)).failure?.data.field).toBe('message.parts')
  expect((await send([{ type: 'text', text: ' ' }])).failure?.data.field).toBe('message.parts')
  expect((await send([{ type: 'tool-todo', toolCallId: 'x' }])).failure?.data.field).toBe(
    'message.parts.0.type',
  )
  const halves = ['a', 'b'].map((letter) => ({ type: 'text', text: letter.repeat(600_000) }))
  expect((await send(halves)).failure?.data.field).toBe('message.parts')
  const nested = (depth: number) => `{"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
  for (const [depth, field] of [
    [20, 'metadata'],
    [5000, 'body'],
  ] as const) {
    const response = await post(server, 'session.create', nested(depth))
    expect([depth, (await response.json()).error.data.field]).toEqual([depth, field])
  }
})

test('AP-4 a request line beyond its limit gets a clear answer', async () => {
  await using server = await startTestServer()
  const response = await fetch(`${server.url}/trpc/session.list?input=${'x'.repeat(20_000)}`)
  expect(response.status).toBe(431)
  expect(await response.json()).toMatchObject({ error: { data: { appCode: 'INVALID_INPUT' } } })
})

test('AP-1 an unknown procedure, invalid JSON or the wrong method is refused by name', async () => {
  await using server = await startTestServer()
  const fieldOf = async (response: Response) => [response.status, (await response.json()).error.data.field]
  expect(await fieldOf(await post(server, 'session.nothing', '{}'))).toEqual([404, 'path'])
  expect(await fieldOf(await post(server, 'session.create', '{"id":'))).toEqual([400, 'input'])
  expect(await fieldOf(await post(server, 'session.list', '{}'))).toEqual([405, 'method'])
  expect(await fieldOf(await fetch(`${server.url}/trpc/session.create`))).toEqual([405, 'method'])
})

function post({ url }: { url: string }, path: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/trpc/${path}`, { method: 'POST', headers, body })
}

function expectDiscreet(failure: CallFailure | null, body: string): void {
  expect(failure?.data.stack).toBeUndefined()
  expect(body).not.toMatch(/node_modules|\.ts:\d|SELECT |at async /)
}

function contentOf(tables: ReturnType<typeof createMemoryTables>) {
  const { sessions, messages, leases, operations, settings, providers } = tables
  return [[...sessions], [...messages], [...leases], operations, [...settings], [...providers]]
}

function newSession(id: string) {
  return {
    id,
    title: 'T',
    agent: 'assistant',
    workspaceRoot: null,
    model: { providerId: 'lab', modelId: 'm1' },
    parentId: null,
    parentMessageId: null,
    metadata: {},
    at: 0,
  }
}
