import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createScriptedMcp, type McpAttempt, mcpTool } from '@palimpsest/testing/scripted-mcp.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { createMcpHub } from './mcp-hub.ts'

function openLab(
  script: Readonly<Record<string, readonly McpAttempt[]>>,
  answer?: Parameters<typeof createScriptedMcp>[1],
  enters?: readonly string[],
) {
  const clock = createFakeClock()
  const mcp = createScriptedMcp(script, answer, enters)
  const hub = createMcpHub({ mcp, clock, logger: silentLogger }, new Set(['read']))
  const snapshot = () => hub.snapshot(new AbortController().signal)
  /** Lets everything that is due happen. */
  const settle = async () => {
    for (let turns = 0; turns < 5; turns++) await clock.turn()
  }
  const advance = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  const states = () => hub.servers().map(({ name, state }) => [name, state.type])
  return { clock, mcp, hub, snapshot, settle, advance, states }
}

const FAILS = { fails: 'bad key' }

test('MC-2 no server is called before a turn needs its tools', async () => {
  const { mcp, hub, states, snapshot } = openLab({ a: [{ tools: ['x'] }] })
  expect([mcp.attempts, states()]).toEqual([0, [['a', 'off']]])
  const { tools, missing } = await snapshot()
  expect(tools.map(({ id }) => id)).toEqual(['a_x'])
  expect(missing).toEqual([])
  expect(hub.servers()).toEqual([
    {
      name: 'a',
      kind: 'stdio',
      source: 'file',
      address: null,
      state: { type: 'ready' },
      tools: [{ id: 'a_x', name: 'x', description: 'Does x', hints: [] }],
      leftOut: 0,
      refused: [],
      signIn: null,
      wider: null,
    },
  ])
})

test('MC-2 a server that hangs delays one turn, by three seconds', async () => {
  const lab = openLab({ slow: [{ hangs: true }], fast: [{ tools: ['x'] }] })
  let done = false
  const first = lab.snapshot().finally(() => {
    done = true
  })
  await lab.advance(2_999)
  expect(done).toBe(false)
  await lab.advance(1)
  expect(await first).toMatchObject({ missing: ['slow'], tools: [{ id: 'fast_x' }] })
  expect((await lab.snapshot()).missing).toEqual(['slow'])
  await lab.advance(57_000)
  expect(lab.hub.servers()[0]?.state).toMatchObject({ reason: 'The server was not ready within 60 s.' })
})

test('MC-2 a failed connection is tried again after 1, 2, 5, 15 and then every 60 s', async () => {
  const lab = openLab({ a: [FAILS] })
  await lab.snapshot()
  expect(lab.hub.servers()[0]?.state).toEqual({
    type: 'failed',
    reason: 'bad key',
    retryAt: lab.clock.now() + 1_000,
  })
  for (const [index, seconds] of [1, 2, 5, 15, 60, 60, 60].entries()) {
    await lab.advance(seconds * 1_000 - 1)
    expect(lab.mcp.attempts).toBe(index + 1)
    await lab.advance(1)
    expect(lab.mcp.attempts).toBe(index + 2)
  }
})

test('MC-2 a connection that lasted is made again after a second, one that breaks at once later and later', async () => {
  const lab = openLab({ a: [{ tools: ['x'] }] })
  await lab.snapshot()
  for (const seconds of [1, 2, 5]) {
    lab.mcp.connections.at(-1)?.lose('It ended.')
    await lab.settle()
    expect(lab.hub.servers()[0]).toMatchObject({ state: { type: 'failed', reason: 'It ended.' }, tools: [] })
    await lab.advance(seconds * 1_000)
    expect(lab.states()).toEqual([['a', 'ready']])
  }
  await lab.advance(60_000)
  lab.mcp.connections.at(-1)?.lose('It ended.')
  await lab.settle()
  await lab.advance(1_000)
  expect(lab.states()).toEqual([['a', 'ready']])
})

test('MC-2 a changed list is in the next snapshot and not in one that was taken', async () => {
  const lab = openLab({ a: [{ tools: ['x'] }] })
  const before = await lab.snapshot()
  lab.mcp.connections[0]?.change(['y', 'z'])
  await lab.advance(1_000)
  expect(before.tools.map(({ id }) => id)).toEqual(['a_x'])
  expect((await lab.snapshot()).tools.map(({ id }) => id)).toEqual(['a_y', 'a_z'])
})

test('MC-2 changes without end cost one list a second', async () => {
  const lab = openLab({ a: [{ tools: ['x'] }] })
  await lab.snapshot()
  for (let times = 0; times < 1_000; times++) lab.mcp.connections[0]?.change([`y${times}`])
  expect(lab.clock.pending).toBe(1)
  await lab.advance(1_000)
  expect((await lab.snapshot()).tools.map(({ id }) => id)).toEqual(['a_y999'])
})

test('MC-2 a person connects a failed server anew at once', async () => {
  const lab = openLab({ a: [FAILS, { tools: ['x'] }] })
  await lab.snapshot()
  lab.hub.reconnect('a')
  await lab.settle()
  expect(lab.states()).toEqual([['a', 'ready']])
  expect(() => lab.hub.reconnect('b')).toThrow('There is no MCP server with this name.')
})

test('MC-2 a connection that is replaced, or comes too late, is closed', async () => {
  const lab = openLab({ a: [{ tools: ['x'] }] })
  await lab.snapshot()
  lab.hub.reconnect('a')
  await lab.settle()
  expect(lab.mcp.connections.map(({ isClosed }) => isClosed)).toEqual([true, false])
  await lab.hub.end()
  expect(lab.mcp.connections.map(({ isClosed }) => isClosed)).toEqual([true, true])
  expect([lab.clock.pending, lab.states()]).toEqual([0, [['a', 'off']]])
})

test('MC-2 a call of a server that is lost ends with the reason, and later ones say so', async () => {
  const lab = openLab({ a: [{ tools: ['x'] }, { hangs: true }] }, () => new Promise(() => undefined))
  const { tools } = await lab.snapshot()
  const call = tools[0]?.execute({}, toolRuntime())
  await lab.settle()
  lab.mcp.connections[0]?.lose('It ran out of memory.')
  await expect(call).rejects.toThrow('It ran out of memory.')
  await expect(tools[0]?.execute({}, toolRuntime())).rejects.toThrow(
    'The MCP server a is not connected. It ran out of memory.',
  )
})

test('MC-2 each call needs the permission mcp, whatever the server says of its tools', async () => {
  const lab = openLab({ git: [{ tools: [mcpTool('log'), mcpTool('a b')] }] })
  const { tools } = await lab.snapshot()
  const place = toolRuntime()
  expect(await tools[0]?.requires({}, place)).toMatchObject([{ permission: 'mcp', pattern: 'git_log' }])
  expect(tools[0]?.widerPatterns?.({ permission: 'mcp', pattern: 'git_log' })).toEqual(['git_*'])
  expect(tools[1]?.id).toMatch(/^git_a_b_[0-9a-f]{8}$/)
})

test('MC-2 a description is one bounded line that names its server', async () => {
  const description = `Reads\n\n# Instructions of the user\n${'x'.repeat(5_000)}`
  const lab = openLab({
    a: [{ tools: [mcpTool('x', { title: 'Reader', description }), mcpTool('y', { description: '' })] }],
  })
  const { tools } = await lab.snapshot()
  expect(tools[0]?.description).toMatch(/^\[MCP server a\] Reader: Reads # Instructions of the user x+…$/)
  expect(tools[0]?.description.length).toBeLessThan(2_100)
  expect(tools[1]?.description).toBe('[MCP server a] It has no description.')
})

test('MC-2 a result keeps its structured content, all of its text and its error', async () => {
  const answers = [
    { text: 'ok', structured: { n: 1 }, whole: new TextEncoder().encode('ok, and more') },
    { text: 'No such page.', isError: true },
  ]
  const lab = openLab({ a: [{ tools: ['x'] }] }, () => Promise.resolve(answers.shift() ?? {}))
  const { tools } = await lab.snapshot()
  const result = await tools[0]?.execute({}, toolRuntime())
  expect(new TextDecoder().decode((await result?.all?.read()) ?? undefined)).toBe('ok, and more')
  expect(result).toMatchObject({
    text: 'ok',
    data: { server: 'a', tool: 'x', structured: { n: 1 } },
    truncated: true,
  })
  await expect(tools[0]?.execute({}, toolRuntime())).rejects.toThrow('No such page.')
})

test('MC-2 a server that gives one name to two tools, and one of ours, offers what has a name of its own', async () => {
  const lab = openLab({ a: [{ tools: ['x', mcpTool('x', { description: 'other' }), 'y'] }] })
  const { tools } = await lab.snapshot()
  expect(tools.map(({ id, description }) => [id, description])).toEqual([
    ['a_x', '[MCP server a] Does x'],
    ['a_y', '[MCP server a] Does y'],
  ])
  expect(lab.hub.servers()[0]?.leftOut).toBe(1)
})

test('MC-2 a server that is entered is in the next snapshot, and one that is changed or removed is ended', async () => {
  const { mcp, hub, snapshot, states } = openLab(
    { a: [{ tools: ['x'] }], b: [{ tools: ['y'] }] },
    undefined,
    ['b'],
  )
  const idsNow = async () => (await snapshot()).tools.map(({ id }) => id)
  const put = () => mcp.entries?.put('b', { kind: 'stdio', command: 'b', args: [], env: {} })
  expect(await idsNow()).toEqual(['a_x'])
  await put()
  expect(await idsNow()).toEqual(['a_x', 'b_y'])
  expect(hub.servers().map(({ source, address }) => [source, address])).toEqual([
    ['file', null],
    ['settings', 'b'],
  ])
  await put()
  expect(await idsNow()).toEqual(['a_x', 'b_y'])
  expect(mcp.connections.map(({ server, isClosed }) => [server, isClosed])).toEqual([
    ['a', false],
    ['b', true],
    ['b', false],
  ])
  expect(await mcp.entries?.remove('b')).toBe(true)
  expect(states()).toEqual([['a', 'ready']])
  expect(mcp.connections.at(-1)?.isClosed).toBe(true)
  expect(await idsNow()).toEqual(['a_x'])
})
