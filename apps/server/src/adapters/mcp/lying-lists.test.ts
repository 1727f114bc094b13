import { createServer } from 'node:http'
import type { McpToolList } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { portOf } from '../../listen.ts'
import { labServers } from '../../testing/mcp/lab-settings.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

type Page = { tools?: unknown; nextCursor?: unknown }

/** The list that a server of an earlier revision has when it answers each page, by its number from 0, with this; and the pages read. */
async function listOf(page: (index: number) => Page): Promise<McpToolList & { pages: number }> {
  let pages = 0
  const http = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { id, method } = text === '' ? { id: undefined, method: '' } : JSON.parse(text)
    const answer = (body: object) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    if (id === undefined) return void response.writeHead(method === '' ? 405 : 202).end()
    if (method === 'initialize') return void answer({ result: INITIALIZED })
    if (method !== 'tools/list') return void answer({ error: { code: -32_601, message: 'Not known' } })
    answer({ result: page(pages) })
    pages += 1
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  await using folder = await temporaryFolder()
  const url = `http://127.0.0.1:${portOf(http)}/mcp`
  const settings = { kind: 'http', name: 'lab', url, headers: {}, signInServers: [], secrets: [] } as const
  const signal = AbortSignal.timeout(20_000)
  try {
    const connection = await labServers([settings], folder.path).connect('lab', signal)
    const list = await connection.tools(signal).finally(() => connection.close())
    return { ...list, pages }
  } finally {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
}

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'liar', version: '1' },
}
const tool = (name: unknown, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })

/** A schema inside a schema, so many times. */
function nested(depth: number): object {
  let schema: object = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = { type: 'object', properties: { a: schema } }
  return schema
}

test('MC-2 a tool of a list that is none spoils no other', async () => {
  const lies = [null, 5, 'x', [], tool(5), tool(''), tool('x'.repeat(257)), { description: 'no name' }]
  const { tools, leftOut } = await listOf(() => ({ tools: [...lies, tool('good'), tool('better')] }))
  expect(tools.map(({ name }) => name)).toEqual(['good', 'better'])
  expect(leftOut).toBe(lies.length)
})

test('MC-2 a schema that is none, or nested without end, allows everything', async () => {
  const schemas = ['object', 7, null, [], nested(2_000)]
  const { tools } = await listOf(() => ({
    tools: schemas.map((inputSchema, index) => tool(`t${index}`, { inputSchema, description: index })),
  }))
  expect(tools.map(({ inputSchema }) => inputSchema)).toEqual(schemas.map(() => ({ type: 'object' })))
  expect(tools.every(({ description }) => description === '')).toBe(true)
})

test('MC-2 of pages without end 20 are read, of tools without end 200, and one page that names itself once', async () => {
  const endless = await listOf((index) => ({ tools: [tool(`t${index}`)], nextCursor: `${index}` }))
  expect([endless.pages, endless.tools.length]).toEqual([20, 20])
  const many = await listOf(() => ({ tools: Array.from({ length: 300 }, (_, index) => tool(`t${index}`)) }))
  expect([many.tools.length, many.leftOut]).toEqual([200, 100])
  const looping = await listOf(() => ({ tools: [tool('t')], nextCursor: 'same' }))
  expect(looping.pages).toBe(2)
})

test('MC-2 a list of many megabytes is read up to its limit', async () => {
  const large = tool('large', { description: 'x'.repeat(3_000_000) })
  const { tools, leftOut } = await listOf((index) => ({
    tools: [{ ...large, name: `large${index}` }],
    ...(index < 4 && { nextCursor: `${index}` }),
  }))
  expect(tools.length).toBeLessThanOrEqual(3)
  expect(tools.length + leftOut).toBeLessThanOrEqual(5)
})

test.each([
  ['no list', { tools: 'all' }],
  ['nothing', {}],
  ['a cursor that is none', { tools: [], nextCursor: 5 }],
])('MC-2 a list that is %s fails the connection, and nothing else', async (_what, page) => {
  await expect(listOf(() => page)).rejects.toThrow()
})
