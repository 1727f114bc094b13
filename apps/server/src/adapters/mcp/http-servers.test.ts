import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { portOf } from '../../listen.ts'
import { callTool, forever } from '../../testing/mcp/call-tool.ts'
import { startLabHttp } from '../../testing/mcp/http-server.ts'
import { labServers } from '../../testing/mcp/lab-settings.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

async function connect(url: string, headers: Record<string, string> = {}, secrets: string[] = []) {
  const folder = await temporaryFolder()
  const servers = labServers(
    [{ kind: 'http', name: 'lab', url, headers, signInServers: [], secrets }],
    folder.path,
  )
  const connection = await servers
    .connect('lab', AbortSignal.timeout(10_000))
    .catch(async (error: unknown) => {
      await folder[Symbol.asyncDispose]()
      throw error
    })
  return {
    connection,
    async [Symbol.asyncDispose]() {
      await connection.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** A server that answers every request in one way. */
async function startAnswering(listener: RequestListener) {
  const http = createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(http)}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

test('MC-2 a server at an address lists its tools and answers calls, with the headers of the configuration', async () => {
  await using server = await startLabHttp()
  await using lab = await connect(server.url, { Authorization: 'Bearer canary-1' })
  const { tools } = await lab.connection.tools(forever())
  expect(tools.map(({ name }) => name)).toContain('echo')
  expect(await callTool(lab.connection, 'echo', { text: 'hi' })).toMatchObject({ text: 'echo: hi' })
  expect(server.requests.length).toBeGreaterThan(2)
  expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer canary-1']),
  )
})

test('MC-2 a server at an address reports changes of its tools', async () => {
  await using server = await startLabHttp()
  await using lab = await connect(server.url)
  const changed = new Promise<void>((resolve) => lab.connection.onToolsChanged(resolve))
  await callTool(lab.connection, 'change')
  await changed
  expect((await lab.connection.tools(forever())).tools.map(({ name }) => name)).toContain('added1')
})

test('MC-2 a call by HTTP that hangs ends with its signal, and the next one is answered', async () => {
  await using server = await startLabHttp()
  await using lab = await connect(server.url)
  await expect(callTool(lab.connection, 'hang', {}, AbortSignal.timeout(100))).rejects.toThrow()
  expect(await callTool(lab.connection, 'echo', { text: 'on' })).toMatchObject({ text: 'echo: on' })
})

test('MC-2 an answer by HTTP that is too long ends the connection', async () => {
  await using server = await startLabHttp()
  await using lab = await connect(server.url)
  const failed = callTool(lab.connection, 'huge').catch((error: Error) => error.message)
  expect(await lab.connection.closed).toBe('The server sent a message of more than 10 MB.')
  expect(await Promise.race([failed, lab.connection.closed])).toContain('10 MB')
})

test('MC-2 a server that is gone ends the connection', async () => {
  const server = await startLabHttp()
  await using lab = await connect(server.url)
  await server[Symbol.asyncDispose]()
  await expect(callTool(lab.connection, 'echo', { text: 'x' })).rejects.toThrow()
  expect(await lab.connection.closed).not.toBe('')
})

test.each([
  ['refuses', 401],
  ['fails', 500],
])('SV-4 a server that %s (%d) is reported, without the key that it repeats', async (_what, status) => {
  await using server = await startAnswering((_request, response) => {
    response.writeHead(status).end('Your key canary-key-77 is wrong')
  })
  const headers = { Authorization: 'Bearer canary-key-77' }
  const failure = await connect(server.url, headers, ['Bearer canary-key-77', 'canary-key-77']).catch(
    (error: Error) => error.message,
  )
  expect(failure).toEqual(expect.any(String))
  expect(failure).not.toContain('canary-key-77')
})

test('SX-5 the headers of the configuration are sent to no other host', async () => {
  const seen: unknown[] = []
  await using other = await startAnswering((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(200).end()
  })
  await using server = await startAnswering((_request, response) => {
    response.writeHead(307, { location: other.url }).end()
  })
  await expect(connect(server.url, { Authorization: 'Bearer canary-2' })).rejects.toThrow()
  expect(seen).toEqual([])
})
