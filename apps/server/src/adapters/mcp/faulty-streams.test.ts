import { createServer, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { portOf } from '../../listen.ts'
import { callTool } from '../../testing/mcp/call-tool.ts'
import { labServers } from '../../testing/mcp/lab-settings.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'faulty', version: '1' },
}
const CHANGED = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'

type Answer = (response: ServerResponse, id?: unknown) => void

/** A server of an earlier revision that answers a call, or the opening of its stream, in this way. */
async function openLab({ onCall, onStream }: { onCall?: Answer; onStream?: Answer }) {
  const opened: number[] = []
  const http = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    if (request.method === 'GET') {
      opened.push(performance.now())
      if (onStream === undefined) response.writeHead(405).end()
      else onStream(response)
      return
    }
    const { id, method } = JSON.parse(text)
    const answer = (body: object) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    if (id === undefined) response.writeHead(202).end()
    else if (method === 'initialize') answer({ result: INITIALIZED })
    else if (method === 'tools/call' && onCall !== undefined) onCall(response, id)
    else if (method === 'tools/call') answer({ result: { content: [{ type: 'text', text: 'fine' }] } })
    else answer({ error: { code: -32_601, message: 'Not known' } })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const folder = await temporaryFolder()
  const url = `http://127.0.0.1:${portOf(http)}/mcp`
  const settings = { kind: 'http', name: 'lab', url, headers: {}, signInServers: [], secrets: [] } as const
  const connection = await labServers([settings], folder.path).connect('lab', AbortSignal.timeout(20_000))
  return {
    connection,
    opened,
    async [Symbol.asyncDispose]() {
      await connection.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}

const events = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

test.each([['0'], ['99999999999']])(
  'MC-2 a server that ends its stream at once and asks to be called after %s ms is not called in a loop',
  async (retry) => {
    await using lab = await openLab({
      onStream: (response) => void events(response).end(`retry: ${retry}\nid: 1\n\n`),
    })
    for (let times = 0; times < 3; times++)
      expect(await callTool(lab.connection, 'ok')).toMatchObject({ text: 'fine' })
    await expect.poll(() => lab.opened.length, { timeout: 10_000 }).toBe(retry === '0' ? 2 : 1)
    const [first = 0, second = first + 500] = lab.opened
    expect(second - first).toBeGreaterThan(450)
  },
)

test.each([
  ['newlines', '\n\n'],
  ['returns', '\r\r'],
  ['both', '\r\n\r\n'],
])('MC-2 a stream that floods, with lines that end with %s, ends the connection', async (_what, ending) => {
  await using lab = await openLab({
    onStream: (response) => void events(response).write(`${CHANGED}${ending}`.repeat(6_000)),
  })
  expect(await lab.connection.closed).toBe('The server sent too much at once.')
})

test.each([
  ['a result', 200, 'application/json'],
  ['an event', 200, 'text/event-stream'],
  ['an error', 500, 'text/plain'],
])('MC-2 %s that is small only while it is compressed ends the connection', async (_what, status, type) => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, 'a'))
  await using lab = await openLab({
    onCall: (response) =>
      void response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(bomb),
  })
  const failed = callTool(lab.connection, 'big').catch((error: Error) => error.message)
  expect(await lab.connection.closed).toBe('The server sent a message of more than 10 MB.')
  expect(await failed).toContain('10 MB')
})

test.each([
  ['a result', 'application/json', '', '{}'],
  ['an event', 'text/event-stream', `${CHANGED}\n\ndata: `, '[]'],
])('MC-2 %s of too many values ends the connection', async (_what, type, before, value) => {
  const body = `${before}{"jsonrpc":"2.0","result":[${`${value},`.repeat(250_000)}0]}\n\n`
  await using lab = await openLab({
    onCall: (response) => void response.writeHead(200, { 'content-type': type }).end(body),
  })
  const failed = callTool(lab.connection, 'many').catch((error: Error) => error.message)
  expect(await lab.connection.closed).toContain('too many values')
  expect(await failed).toContain('too many values')
})

test('MC-2 values are counted for each event of a stream, and those in texts are not', async () => {
  const text = '['.repeat(15_000)
  const message = { jsonrpc: '2.0', result: { content: [{ type: 'text', text }], _meta: { '\\"[': 1 } } }
  await using lab = await openLab({
    onCall: (response, id) => {
      events(response)
      const other = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { list: Array(90_000).fill(0) } })
      for (let event = 0; event < 3; event++) response.write(`data: ${other}\n\n`)
      response.end(`data: ${JSON.stringify({ ...message, id })}\n\n`)
    },
  })
  expect(await callTool(lab.connection, 'ok')).toMatchObject({ text })
})

test.each<[string, Answer]>([
  ['ends', (response) => void events(response).end(': nothing\n\n')],
  ['breaks', (response) => void events(response).write(': nothing\n\n', () => response.destroy())],
])('MC-2 a call whose stream %s before its answer fails at once', async (_what, onCall) => {
  await using lab = await openLab({ onCall })
  await expect(callTool(lab.connection, 'ok')).rejects.toThrow('ended its answer before the result')
})

test('MC-2 a call whose answer comes by a stream has its result', async () => {
  const message = { jsonrpc: '2.0', result: { content: [{ type: 'text', text: 'streamed' }] } }
  await using lab = await openLab({
    onCall: (response, id) => void events(response).end(`data: ${JSON.stringify({ ...message, id })}\n\n`),
  })
  for (let times = 0; times < 2; times++)
    expect(await callTool(lab.connection, 'ok')).toMatchObject({ text: 'streamed' })
})

test('MC-2 a call that is answered with a page, or led elsewhere, fails alone', async () => {
  for (const onCall of [
    (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
    (response: ServerResponse) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
  ]) {
    await using lab = await openLab({ onCall })
    await expect(callTool(lab.connection, 'ok')).rejects.toThrow(/content type|Redirect/)
  }
})
