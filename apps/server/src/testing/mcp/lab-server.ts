import { spawn } from 'node:child_process'
import { type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server'
import { askingTool } from './asking-tools.ts'

const TEXT = { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] }
const NOTHING = { type: 'object' as const, properties: {} }

/** A PNG of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const TOOLS: Tool[] = [
  { name: 'echo', description: 'Says it again', inputSchema: TEXT, annotations: { readOnlyHint: true } },
  { name: 'add', description: 'Adds two numbers', inputSchema: NOTHING, outputSchema: { type: 'object' } },
  { name: 'fail', description: 'Fails', inputSchema: NOTHING },
  { name: 'hang', description: 'Never answers', inputSchema: NOTHING },
  { name: 'die', description: 'Ends the server', inputSchema: NOTHING },
  { name: 'big', description: 'Says much', inputSchema: NOTHING },
  { name: 'huge', description: 'Says more than a message may have', inputSchema: NOTHING },
  { name: 'mixed', description: 'Returns all kinds of content', inputSchema: NOTHING },
  { name: 'flood', description: 'Sends notifications without end', inputSchema: NOTHING },
  { name: 'change', description: 'Adds a tool', inputSchema: NOTHING },
  { name: 'where', description: 'Names its variables', inputSchema: NOTHING },
  { name: 'leave', description: 'Leaves a process behind', inputSchema: NOTHING },
  { name: 'book', description: 'Asks how to book', inputSchema: NOTHING },
  { name: 'steps', description: 'Asks twice', inputSchema: NOTHING },
  { name: 'greedy', description: 'Asks for too much', inputSchema: NOTHING },
]

/** A server of tests: each of its tools does what its description says. The tools that were added are shared by its instances. */
export function createLabServer(added: Tool[] = [], onChange: () => void = () => undefined): Server {
  const server = new Server(
    { name: 'lab', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS, ...added] }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, context) => {
    const { inputResponses = {}, requestState } = context.mcpReq
    const asks = askingTool(name, inputResponses, requestState())
    if (asks !== null) return asks
    if (name === 'change') {
      added.push({ name: `added${added.length + 1}`, description: 'Came later', inputSchema: NOTHING })
      await server.sendToolListChanged()
      onChange()
      return text('changed')
    }
    if (name === 'flood') {
      setInterval(() => {
        for (let sent = 0; sent < 500; sent++) void server.sendToolListChanged().catch(() => undefined)
      }, 1)
      return await new Promise<CallToolResult>(() => undefined)
    }
    return await call(name, args)
  })
  return server
}

function call(name: string, args: Record<string, unknown>): CallToolResult | Promise<CallToolResult> {
  switch (name) {
    case 'add':
      return { content: [], structuredContent: { sum: Number(args['a']) + Number(args['b']) } }
    case 'fail':
      return { ...text('It went wrong.'), isError: true }
    case 'hang':
      return new Promise(() => undefined)
    case 'die':
      process.stderr.write('out of memory, sort of\n')
      setTimeout(() => process.exit(3), 20)
      return new Promise(() => undefined)
    case 'big':
      return text(`${'ä'.repeat(300_000)}the end`)
    case 'huge':
      return text('x'.repeat(11_000_000))
    case 'mixed':
      return mixed()
    case 'where':
      return text(JSON.stringify({ ...process.env, cwd: process.cwd() }))
    case 'leave':
      spawn('setsid', ['sleep', '300'], { stdio: 'ignore', detached: true }).unref()
      return text('left')
    default:
      return text(`${name}: ${String(args['text'])}`)
  }
}

function mixed(): CallToolResult {
  return {
    content: [
      { type: 'text', text: 'first' },
      { type: 'image', data: PICTURE, mimeType: 'image/png' },
      { type: 'resource_link', uri: 'http://127.0.0.1:9/secret', name: 'a file', description: 'of mine' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'AAAAAAAA', mimeType: 'a/b' } },
    ],
    structuredContent: { list: [1, 2] },
  }
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}
