import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { ExportLine } from '@palimpsest/core/ports'
import { createMemoryStore, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { SERVER_LIMITS } from '../limits.ts'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

type Headers = Record<string, string>

const NDJSON = { 'content-type': 'application/x-ndjson' }
const TOKEN = 'correct-horse-battery-staple'

test('OB-1 an exported file has the same bytes as the answer of a call, in both formats', async () => {
  await using server = await startTestServer({ store: 'sqlite' })
  await openTalk(server)
  for (const format of ['jsonl', 'json'] as const) {
    const answer = await get(server, `/sessions/talk/export?format=${format}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="talk.${format}"; filename*=UTF-8''talk.${format}`,
    )
    expect(answer.headers.get('content-type')).toContain(format === 'json' ? 'json' : 'x-ndjson')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toBe(await exported(server, format))
  }
  expect(await textAt(server, '/sessions/talk/export')).toBe(await exported(server, 'jsonl'))
})

test.for([
  ['/sessions/none/export', 'GET', 404, { appCode: 'SESSION_NOT_FOUND' }],
  ['/sessions/a%20b/export', 'GET', 400, { appCode: 'INVALID_INPUT', field: 'sessionId' }],
  ['/sessions/none/export?format=xml', 'GET', 400, { appCode: 'INVALID_INPUT', field: 'format' }],
  ['/sessions/none/export?other=1', 'GET', 400, { appCode: 'INVALID_INPUT' }],
  ['/sessions/none/export', 'DELETE', 405, { appCode: 'INVALID_INPUT', field: 'method' }],
  ['/sessions/import', 'GET', 405, { appCode: 'INVALID_INPUT', field: 'method' }],
  ['/sessions', 'GET', 404, { appCode: 'INVALID_INPUT', field: 'path' }],
] as const)('SV-5 AP-1 %s by %s is a typed %i', async ([path, method, status, data]) => {
  await using server = await startTestServer()
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    ...(method === 'DELETE' && { headers: { 'content-type': 'application/json' } }),
  })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect((await answer.json()).error.data).toMatchObject({ httpStatus: status, ...data })
})

test('SX-8 a file passes the same checks as a call', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  const own = { authorization: `Bearer ${TOKEN}` }
  const path = '/sessions/talk/export'
  expect((await get(server, path)).status).toBe(401)
  expect((await get(server, path, { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await get(server, path, { ...own, origin: 'https://evil.example' })).status).toBe(403)
  expect((await get(server, path, { ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await get(server, path, own)).status).toBe(404)
  expect((await post(server, '{}')).status).toBe(401)
  expect((await post(server, '{}', { ...own, 'content-type': 'text/plain' })).status).toBe(400)
  expect((await post(server, '{}', { ...own, ...NDJSON, origin: 'https://evil.example' })).status).toBe(403)
  const { headers } = await get(server, path, own)
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('OB-1 rows are read from the store as fast as the reader reads, and none after it has disconnected', async () => {
  const { store, read, ended } = await endlessStore()
  await using server = await startTestServer({ store })
  const answer = await open(server, '/sessions/endless/export')
  await once(answer, 'readable')
  let before = -1
  for (let calm = 0; calm < 50; calm = read.rows === before ? calm + 1 : 0) {
    before = read.rows
    // These are answered while the export waits for its reader.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  }
  expect(read.rows).toBeLessThan(1_000)
  answer.destroy()
  await ended
})

test('OB-1 half an export never looks complete', async () => {
  const { store, read } = await endlessStore()
  read.failsAt = 20
  await using server = await startTestServer({ store })
  await expect(textAt(server, '/sessions/endless/export')).rejects.toThrow()
})

test.each(['memory', 'sqlite'] as const)(
  'OB-1 an export is imported as the same bytes (%s)',
  async (store) => {
    await using server = await startTestServer({ store })
    await openTalk(server)
    const data = await exported(server, 'jsonl')
    await callProcedure(server.url, { path: 'session.delete', type: 'mutation' }, { sessionId: 'talk' })
    await callProcedure(server.url, { path: 'session.purge', type: 'mutation' }, { sessionId: 'talk' })
    const answer = await post(server, data)
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: 'talk', title: 'Zoë’s talk' }])
    expect(await exported(server, 'jsonl')).toBe(data)
    const again = await (await post(server, data)).json()
    expect(again.id).not.toBe('talk')
    expect((await textAt(server, `/sessions/${again.id}/export`)).split('\n')).toHaveLength(
      data.split('\n').length,
    )
  },
)

test('OB-1 AP-1 an import that is not an export, or not a whole one, stores nothing', async () => {
  await using server = await startTestServer({ store: 'sqlite' })
  await openTalk(server)
  const data = await exported(server, 'jsonl')
  await callProcedure(server.url, { path: 'session.delete', type: 'mutation' }, { sessionId: 'talk' })
  await callProcedure(server.url, { path: 'session.purge', type: 'mutation' }, { sessionId: 'talk' })
  for (const [body, field] of [
    [`${data}{"type":"part"}\n`, 'data'],
    [data.slice(0, data.length / 2), 'data'],
    ['', 'data'],
    [Buffer.concat([Buffer.from(data), Buffer.from([0xff])]), 'body'],
  ] as const) {
    const answer = await post(server, body)
    const { error } = await answer.json()
    expect([answer.status, error.data]).toMatchObject([400, { appCode: 'INVALID_INPUT', field }])
  }
  await cutOff(server, data)
  expect((await get(server, '/sessions/talk/export')).status).toBe(404)
  expect((await (await post(server, data)).json()).id).toBe('talk')
})

test('AP-4 SX-6 an import beyond its limit is refused before it is read', async () => {
  await using server = await startTestServer()
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  const headers = { ...NDJSON, 'content-length': String(SERVER_LIMITS.importBytes + 1) }
  const outgoing = request(`${server.url}/api/v1/sessions/import`, { method: 'POST', headers }, resolve)
  outgoing.on('error', () => undefined).flushHeaders()
  const answer = await promise
  expect(answer.statusCode).toBe(400)
  const body = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString()
  expect(JSON.parse(body).error.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'body' })
})

function get({ url }: TestServer, path: string, headers: Headers = {}): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, { headers })
}

async function textAt(server: TestServer, path: string): Promise<string> {
  return await (await get(server, path)).text()
}

function post({ url }: TestServer, body: string | Buffer, headers: Headers = NDJSON): Promise<Response> {
  return fetch(`${url}/api/v1/sessions/import`, {
    method: 'POST',
    headers,
    body: new Uint8Array(Buffer.from(body)),
  })
}

async function exported({ url }: TestServer, format: 'jsonl' | 'json'): Promise<string> {
  const { body } = await callProcedure(
    url,
    { path: 'session.export', type: 'query' },
    { sessionId: 'talk', format },
  )
  return JSON.parse(body).result.data.data
}

/** A session `talk` with a turn, a rewind, and another turn. */
async function openTalk({ url, provider }: TestServer): Promise<void> {
  const call = (path: string, input: object) => callProcedure(url, { path, type: 'mutation' }, input)
  const listen = (runId: string) =>
    callProcedure(url, { path: 'session.stream', type: 'subscription' }, { sessionId: 'talk', runId })
  provider.otherwise(reply({ text: 'Grüße' }))
  await call('session.create', { id: 'talk', workspaceRoot: null, title: 'Zoë’s talk' })
  for (const id of ['one', 'two']) {
    const message = { id, parts: [{ type: 'text', text: `What of ${id}?\n` }] }
    const { body } = await call('session.send', { sessionId: 'talk', message })
    await listen(JSON.parse(body).result.data.runId)
  }
  await call('session.rewind', { sessionId: 'talk', messageId: 'one' })
}

/** A store whose one session has endless rows, unless it fails at a row. */
async function endlessStore() {
  const store = await createMemoryStore()
  const read = { rows: 0, failsAt: Number.POSITIVE_INFINITY }
  const ended = Promise.withResolvers<void>()
  async function* exportRows(): AsyncGenerator<ExportLine> {
    try {
      for (; read.rows < read.failsAt; read.rows++)
        yield { type: 'part', data: { id: `prt_${read.rows}`, data_json: 'x'.repeat(65_536) } }
      throw new Error('The disk is gone')
    } finally {
      ended.resolve()
    }
  }
  await store.sessions.create({
    id: 'endless',
    title: 'Endless',
    agent: 'assistant',
    workspaceRoot: null,
    model: { providerId: 'lab', modelId: 'm1' },
    parentId: null,
    parentMessageId: null,
    metadata: {},
    at: 1,
  })
  return { store: { ...store, history: { ...store.history, exportRows } }, read, ended: ended.promise }
}

async function open({ url }: TestServer, path: string): Promise<IncomingMessage> {
  const [answer] = await once(request(`${url}/api/v1${path}`).end(), 'response')
  return answer
}

/** Sends half of a body and disconnects. */
async function cutOff(server: TestServer, data: string): Promise<void> {
  const headers = { ...NDJSON, 'content-length': String(Buffer.byteLength(data)) }
  const outgoing = request(`${server.url}/api/v1/sessions/import`, { method: 'POST', headers })
  const closed = new Promise((resolve) => outgoing.on('error', () => undefined).on('close', resolve))
  await new Promise<void>((resolve) => outgoing.write(data.slice(0, data.length / 2), () => resolve()))
  outgoing.destroy()
  await closed
}
