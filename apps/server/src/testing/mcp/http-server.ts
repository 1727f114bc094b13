import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createMcpHandler, type Tool } from '@modelcontextprotocol/server'
import { portOf } from '../../listen.ts'
import { createLabServer } from './lab-server.ts'

/** The lab server by HTTP on a free port. `requests` has the headers of each; `refuse` answers those that it returns true for. */
export async function startLabHttp(
  refuse: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
) {
  const requests: IncomingMessage['headers'][] = []
  const added: Tool[] = []
  const handler = createMcpHandler(() => createLabServer(added, () => handler.notify.toolsChanged()))
  const http = createServer((request, response) => {
    if (refuse(request, response)) return
    requests.push(request.headers)
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const { method = 'GET' } = request
    const body = method === 'GET' || method === 'DELETE' ? null : Buffer.concat(pieces)
    const url = `http://127.0.0.1${request.url}`
    const answered = await handler.fetch(new Request(url, { method, headers, body, signal: gone.signal }))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    for await (const piece of answered.body ?? []) response.write(piece)
    response.end()
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(http)}/mcp`,
    requests,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await handler.close()
    },
  }
}
