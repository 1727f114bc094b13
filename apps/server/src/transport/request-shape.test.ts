import { once } from 'node:events'
import { LIMITS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SERVER_LIMITS } from '../limits.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

const MEGABYTE = 1024 * 1024
const WHOLE = LIMITS.requestBytes - 1024
const fill = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))
const nest = (bytes: number) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`

/** Bodies that take seconds to parse, or that no procedure accepts. */
const BODIES: [what: string, path: string, body: () => string][] = [
  ['brackets inside one another', 'session.send', () => nest(WHOLE)],
  ['lists beside one another', 'session.send', () => `[${fill('[],', WHOLE)}[]]`],
  ['objects beside one another', 'session.send', () => `[${fill('{"a":{}},', WHOLE)}{}]`],
  ['numbers', 'session.send', () => `[${fill('1,', WHOLE)}1]`],
  ['names', 'session.send', () => `{${fill('"a":1,', WHOLE)}"a":1}`],
  ['a text', 'session.rename', () => `{"sessionId":"s","title":"${fill('x', WHOLE)}"}`],
  ['a little too much', 'session.create', () => `{"title":"${fill('x', SERVER_LIMITS.smallRequestBytes)}"}`],
  ['nested metadata', 'session.create', () => `{"metadata":{"a":${nest(130)}}}`],
]

const post = (server: TestServer, path: string, body: string) =>
  fetch(`${server.url}/trpc/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

test.for(BODIES)('AP-4 %s in a body of %s are refused before they are parsed', async ([, path, body]) => {
  await using server = await startTestServer()
  const answer = await post(server, path, body())
  const { error } = JSON.parse(await answer.text())
  expect([answer.status, error.data]).toMatchObject([400, { appCode: 'INVALID_INPUT', field: 'body' }])
})

test.for(BODIES)(
  'AP-4 %s in a socket message of %s are refused under the id of the call',
  async ([, path, body]) => {
    await using server = await startTestServer()
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc`)
    await once(socket, 'open')
    socket.send(`{"id":5,"method":"mutation","params":{"path":"${path}","input":${body()}}}`)
    const [refused] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(String(refused))).toMatchObject({
      id: 5,
      error: { data: { appCode: 'INVALID_INPUT', httpStatus: 400, field: 'body' } },
    })
    socket.send('{"id":6,"method":"query","params":{"path":"system.info"}}')
    const [next] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(String(next))).toMatchObject({ id: 6, result: { type: 'data' } })
    socket.terminate()
  },
)

test('AP-4 nested input in a URL is refused before it is parsed', async () => {
  await using server = await startTestServer()
  const input = encodeURIComponent(`{"metadata":${nest(200)}}`)
  const answer = await fetch(`${server.url}/trpc/session.list?input=${input}`)
  expect([answer.status, JSON.parse(await answer.text()).error.data.field]).toEqual([400, 'input'])
})

test('AP-4 a message with the most allowed files is accepted, and so is a large import', async () => {
  await using server = await startTestServer()
  await post(server, 'session.create', '{"id":"chat"}')
  const file = { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${fill('A', MEGABYTE)}` }
  const parts = Array.from({ length: LIMITS.filesPerMessage }, () => file)
  const sent = await post(server, 'session.send', JSON.stringify({ sessionId: 'chat', message: { parts } }))
  expect(sent.status).toBe(200)
  const data = JSON.stringify({ data: `${nest(2000)}${fill(' ', 2 * MEGABYTE)}` })
  const { error } = JSON.parse(await (await post(server, 'session.import', data)).text())
  expect(error.data.field).not.toBe('body')
})

test('AP-4 a body without a length that grows beyond the limit of its procedure is cut off', async () => {
  await using server = await startTestServer()
  const piece = new TextEncoder().encode(fill(' ', 64 * 1024))
  let pieces = 0
  const body = new ReadableStream({
    pull(controller) {
      if (++pieces > 200) controller.close()
      else controller.enqueue(piece)
    },
  })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
  const answer = await fetch(`${server.url}/trpc/session.create`, init as RequestInit).catch(() => null)
  expect(answer?.status ?? 400).toBe(400)
  expect(pieces).toBeLessThan(200)
})
