import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { closeHttp, listen, portOf } from './listen.ts'

const LOCAL = { host: '127.0.0.1', port: 0 }

test('CF-1 a port in use is reported, with another one to use', async () => {
  await using first = createServer()
  await listen(first, LOCAL)
  const port = portOf(first)
  await expect(listen(createServer(), { ...LOCAL, port })).rejects.toMatchObject({
    code: 'CONFLICT',
    field: 'PORT',
    message: `Port ${port} is taken. Set PORT to another one, such as ${port + 1}.`,
  })
})

test.each(['203.0.113.7', 'no-such-host.invalid'])(
  'CF-1 %s, which is not an address of this machine, is reported as HOST',
  async (host) => {
    await expect(listen(createServer(), { host, port: 0 })).rejects.toMatchObject({
      field: 'HOST',
      message: expect.stringContaining(host),
    })
  },
)

test('CF-1 a server that does not listen has no port', async () => {
  const server = createServer()
  expect(portOf(server)).toBe(0)
  await listen(server, LOCAL)
  expect(portOf(server)).toBeGreaterThan(0)
  await closeHttp(server)
  expect(portOf(server)).toBe(0)
})

/** A server whose one answer a test ends, with a connection that waits for it and an idle one. */
async function openBusy() {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => asked.resolve(response))
  await listen(server, LOCAL)
  const idle = connect(portOf(server), '127.0.0.1')
  await once(idle, 'connect')
  const answer = fetch(`http://127.0.0.1:${portOf(server)}`).then((response) => response.text())
  answer.catch(() => undefined)
  return { server, idle, answer, response: await asked.promise }
}

test('RV-3 an answer in progress when the server closes is still sent', async () => {
  const { server, idle, answer, response } = await openBusy()
  const gone = once(idle, 'close')
  const closed = closeHttp(server)
  response.end('the last words')
  expect(await answer).toBe('the last words')
  await Promise.all([closed, gone])
})

test('RV-3 an answer that does not end is cut, so that the server closes', async () => {
  const { server, answer, response } = await openBusy()
  response.write('never ending')
  await closeHttp(server)
  await expect(answer).rejects.toThrow()
})
