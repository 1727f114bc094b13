import { LIMITS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SERVER_LIMITS } from '../limits.ts'
import { createLogSecrets } from '../observe/log-secrets.ts'
import { createLogger } from '../observe/logger.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

async function openSocket({ port }: TestServer): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/trpc`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}

const WARN = 40
const calls = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, method: 'query', params: { path: 'system.info' } }))

test('AP-4 OB-3 a message that is too long closes its socket by code, and logs one warning', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'info', secrets: createLogSecrets([]), destination })
  await using server = await startTestServer({ ports: { logger } })
  const socket = await openSocket(server)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.send('x'.repeat(LIMITS.requestBytes + 1))
  expect(await closed).toBe(1009)
  const logged = lines.filter((line) => line.includes('socket')).map((line): unknown => JSON.parse(line))
  expect(logged).toMatchObject([{ level: WARN, code: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' }])
  expect(lines.join('')).not.toContain('stack')
})

test('AP-4 too many calls in one socket message are refused by an error that names the limit', async () => {
  await using server = await startTestServer()
  const socket = await openSocket(server)
  const answer = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
  socket.send(JSON.stringify(calls(SERVER_LIMITS.callsPerMessage + 1)))
  const { error } = JSON.parse(await answer)
  expect(error.message).toContain(`a socket message ${SERVER_LIMITS.callsPerMessage}`)
  expect(error.data).toMatchObject({ appCode: 'INVALID_INPUT', httpStatus: 400, field: 'batch' })
  socket.terminate()
})

test('AP-4 too many calls in one request are refused by an error that names the limit', async () => {
  await using server = await startTestServer()
  const paths = calls(SERVER_LIMITS.callsPerRequest + 1).map(({ params }) => params.path)
  const answer = await fetch(`${server.url}/trpc/${paths.join(',')}?batch=1`)
  expect(answer.status).toBe(400)
  const body = await answer.text()
  expect(body).toContain(`at most ${SERVER_LIMITS.callsPerRequest} calls`)
  expect(body).toContain('"field":"batch"')
})
