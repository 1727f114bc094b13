// A program of an earlier revision that breaks the protocol: each of its tools answers as its name says, `ok` as it should.
type Message = { id?: unknown; method?: string; params?: { name?: string } }

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })
const answer = (id: unknown, result: unknown) => send({ jsonrpc: '2.0', id, result })
const send = (message: unknown) => void process.stdout.write(`${JSON.stringify(message)}\n`)
const raw = (...pieces: (string | readonly number[])[]) =>
  void process.stdout.write(
    Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece))),
    ),
  )
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** What each tool does in place of an answer, or before it. */
const FAULTS: Record<string, (id: unknown) => void> = {
  ok: (id) => answer(id, text('fine')),
  'other ids': (id) => {
    for (const other of [99_999, '__proto__', null, [1], {}]) answer(other, text('not yours'))
    send({ jsonrpc: '2.0', result: {} })
    answer(id, text('yours'))
  },
  twice: (id) => {
    for (const word of ['first', 'second', 'third']) answer(id, text(word))
  },
  batch: (id) => {
    send([{ jsonrpc: '2.0', id, result: text('in a list') }])
    answer(id, text('alone'))
  },
  'no text': (id) => {
    raw([0xff, 0xfe, 0x0a, 0x00, 0x0a], '{"jsonrpc":\n', 'log line\n')
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"a`, [0xc3, 0x28], 'b"}]}}\n')
  },
  'half characters': (id) =>
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"a\\ud800b\\u0000c\\u001b[31md"}],`,
      '"structuredContent":{"key\\udc00":"\\ud83d"}}}\n',
    ),
  deep: (id) =>
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${nested(900)}}}}\n`),
  'deep content': (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":${nested(900)}}}\n`),
  deepest: (id) => raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":${nested(4_000_000)}}}\n`),
  'many values': (id) =>
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[${'"[\\"",'.repeat(1_000_000)}0]}}\n`),
  prototype: (id) =>
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"__proto__":{"isError":true},"content":[{"type":"text","text":"plain"}],`,
      '"structuredContent":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}\n',
    ),
  progress: (id) => {
    for (let at = 0; at < 2_000; at++)
      send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: at } })
    answer(id, text('done'))
  },
  requests: (id) => {
    for (const method of ['ping', 'sampling/createMessage', 'roots/list', 'tools/call', '__proto__'])
      send({ jsonrpc: '2.0', id: `mine-${method}`, method, params: {} })
    answer(id, text('asked'))
  },
  'wrong content': (id) => answer(id, { content: [{ type: 'image', data: 5 }, null] }),
  'wrong error': (id) => answer(id, { content: [], isError: 'yes' }),
  'long error': (id) => send({ jsonrpc: '2.0', id, error: { code: -1, message: 'e'.repeat(1_000_000) } }),
}

function onMessage({ id, method, params }: Message): void {
  switch (method) {
    case 'initialize':
      answer(id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'faulty', version: '1' },
      })
      break
    case 'tools/list':
      answer(id, { tools: Object.keys(FAULTS).map((name) => ({ name, inputSchema: { type: 'object' } })) })
      break
    case 'tools/call':
      FAULTS[params?.name ?? '']?.(id)
      break
    default:
      if (id !== undefined && method !== undefined)
        send({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Not known' } })
  }
}

let rest = ''
process.stdin.on('data', (bytes) => {
  const lines = `${rest}${bytes.toString('utf8')}`.split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) onMessage(JSON.parse(line))
})
