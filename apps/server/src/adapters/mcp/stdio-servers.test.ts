import type { McpConnection } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { callTool, forever } from '../../testing/mcp/call-tool.ts'
import { labProgram, labServers, scriptProgram } from '../../testing/mcp/lab-settings.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { OWNER, processesWith } from '../bash/marked-processes.ts'
import type { McpServerSettings } from './mcp-servers.ts'

async function openLab(settings: McpServerSettings = labProgram()) {
  const folder = await temporaryFolder()
  const servers = labServers([settings], folder.path)
  const connections: McpConnection[] = []
  return {
    folder: folder.path,
    async connect(signal = forever()) {
      const connection = await servers.connect(settings.name, signal)
      connections.push(connection)
      return connection
    },
    processes: () => processesWith(OWNER, folder.path),
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map((connection) => connection.close()))
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('MC-2 a program that speaks the current revision lists its tools and answers calls', async () => {
  await using lab = await openLab()
  const connection = await lab.connect()
  const { tools, leftOut } = await connection.tools(forever())
  expect(tools.slice(0, 2).map(({ name, description }) => ({ name, description }))).toEqual([
    { name: 'echo', description: 'Says it again' },
    { name: 'add', description: 'Adds two numbers' },
  ])
  expect(leftOut).toBe(0)
  expect(await callTool(connection, 'echo', { text: 'hi' })).toEqual({
    text: 'echo: hi',
    isError: false,
    files: [],
    whole: null,
  })
  expect(await callTool(connection, 'add', { a: 1, b: 2 })).toMatchObject({
    text: '{\n  "sum": 3\n}',
    structured: { sum: 3 },
  })
  expect(await callTool(connection, 'fail')).toMatchObject({ text: 'It went wrong.', isError: true })
})

test('MC-2 a program that ends at a question of the current revision is started again the older way', async () => {
  const program = labProgram()
  await using lab = await openLab({
    ...program,
    ...(program.kind === 'stdio' && { args: [...program.args, 'legacy'] }),
  })
  for (let times = 0; times < 2; times++) {
    const connection = await lab.connect()
    expect(await callTool(connection, 'echo', { text: 'old' })).toMatchObject({ text: 'echo: old' })
  }
})

test('MC-2 a program gets only the variables that every command gets, and its own', async () => {
  process.env['MCP_TEST_SECRET'] = 'canary-91'
  await using lab = await openLab(labProgram({ variables: { LAB_MODE: 'on' }, cwd: '/' }))
  const { text } = await callTool(await lab.connect(), 'where')
  delete process.env['MCP_TEST_SECRET']
  const seen = JSON.parse(text)
  expect(seen).toMatchObject({ LAB_MODE: 'on', cwd: '/', CI: '1' })
  expect(text).not.toContain('canary-91')
})

test('TO-4 an MCP server is ended with everything that it has started', async () => {
  await using lab = await openLab()
  const connection = await lab.connect()
  await callTool(connection, 'leave')
  await expect.poll(async () => (await lab.processes()).length).toBe(2)
  await connection.close()
  expect(await lab.processes()).toEqual([])
  expect(await connection.closed).toBe('The connection was closed.')
})

test('MC-2 a server that exits during a call fails that call and ends its connection with its own message', async () => {
  await using lab = await openLab()
  const connection = await lab.connect()
  await expect(callTool(connection, 'die')).rejects.toThrow(
    'The server ended with code 3. out of memory, sort of',
  )
  expect(await connection.closed).toContain('out of memory')
  expect(await lab.processes()).toEqual([])
})

test('MC-2 a call that hangs ends with its signal, and the next one is answered', async () => {
  await using lab = await openLab()
  const connection = await lab.connect()
  const abort = new AbortController()
  const hanging = callTool(connection, 'hang', {}, abort.signal)
  abort.abort(new Error('stopped'))
  await expect(hanging).rejects.toThrow()
  expect(await callTool(connection, 'echo', { text: 'on' })).toMatchObject({ text: 'echo: on' })
})

test('TO-3 a long result of an MCP server comes as its first 200 KB, beside all of it', async () => {
  await using lab = await openLab()
  const { text, whole } = await callTool(await lab.connect(), 'big')
  expect(text).toBe('ä'.repeat(100_000))
  expect(Buffer.from(whole ?? []).toString()).toBe(`${'ä'.repeat(300_000)}the end`)
})

test('MC-2 links are named and not followed, pictures and other files come as bytes', async () => {
  await using lab = await openLab()
  const output = await callTool(await lab.connect(), 'mixed')
  expect(output.files.map(({ name, bytes }) => [name, bytes.length])).toEqual([
    ['picture-1.png', 70],
    ['b.bin', 6],
  ])
  expect(output).toMatchObject({
    text: [
      'first',
      '[picture-1.png: image/png, 70 bytes]',
      '[link to a file: http://127.0.0.1:9/secret] of mine',
      '[file:///a.txt]\ninside',
      '[b.bin: a/b, 6 bytes]',
    ].join('\n\n'),
    structured: { list: [1, 2] },
  })
})

test.each([
  ['huge', 'The server sent a message of more than 10 MB.'],
  ['flood', 'The server sent too much at once.'],
])('MC-2 a server that floods (%s) is ended', async (tool, reason) => {
  await using lab = await openLab()
  const connection = await lab.connect()
  await expect(callTool(connection, tool)).rejects.toThrow(reason)
  expect(await connection.closed).toContain(reason)
  await connection.close()
  expect(await lab.processes()).toEqual([])
})

test.each([
  ['ends at once', 'console.error("no config"); process.exit(2)', 'The server ended with code 2. no config'],
  [
    'says what is no protocol',
    'console.log("hello"); setTimeout(() => process.exit(0), 50)',
    'ended with code 0',
  ],
])('MC-2 a program that %s is reported and leaves nothing running', async (_what, script, reason) => {
  await using lab = await openLab(scriptProgram(script))
  await expect(lab.connect()).rejects.toThrow(reason)
  expect(await lab.processes()).toEqual([])
})

test('MC-2 a program that says one thing for ever is ended', async () => {
  await using lab = await openLab(labProgram({ command: 'yes', args: ['hello'] }))
  await expect(lab.connect()).rejects.toThrow('The server sent too much at once.')
  expect(await lab.processes()).toEqual([])
})

test('MC-2 a program that is not there, or never answers, is reported', async () => {
  await using missing = await openLab(labProgram({ command: '/nowhere/mcp' }))
  await expect(missing.connect()).rejects.toThrow('could not be started')
  await using silent = await openLab(scriptProgram('setInterval(() => {}, 1000)'))
  const connecting = silent.connect(AbortSignal.timeout(300))
  await expect(connecting).rejects.toThrow()
  expect(await silent.processes()).toEqual([])
})

test('SX-5 a secret of the configuration is in no reason of a failure', async () => {
  const script = 'console.error("bad key " + process.env.KEY); process.exit(1)'
  await using lab = await openLab(
    labProgram({ args: ['-e', script], variables: { KEY: 'canary-secret-1' }, secrets: ['canary-secret-1'] }),
  )
  await expect(lab.connect()).rejects.toThrow('bad key [removed]')
})
