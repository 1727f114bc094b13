import type { PendingPermission } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { OWNER, processesWith } from '../adapters/bash/marked-processes.ts'
import type { McpServerSettings } from '../adapters/mcp/mcp-servers.ts'
import { openCoreWithMcp, openMcpHost } from '../testing/mcp/core-with-mcp.ts'
import { labProgram, scriptProgram } from '../testing/mcp/lab-settings.ts'

/** A core with real MCP servers, of which `lab` is connected, and a session. */
async function openLab(settings: readonly McpServerSettings[] = [labProgram()]) {
  const host = await openMcpHost()
  const lab = await openCoreWithMcp(host, settings, { ready: ['lab'] })
  const { id } = await lab.sessions.create({})
  return {
    ...lab,
    id,
    running: () => processesWith(OWNER, host.folder),
    /** Has a tool called and allows it; resolves with what was asked and the call's part. */
    async call(line: string, decide: 'once' | 'session' | 'deny' = 'once') {
      const asked = new Promise<PendingPermission>((resolve) => {
        void lab
          .event((event) => event.type === 'permission-asked')
          .then(({ permission }) => resolve(permission))
      })
      const { runId } = await lab.say(line, id)
      const ended = lab.chunksOf(id, runId)
      const ask = await Promise.race([asked, ended.then(() => null)])
      if (ask !== null) await lab.sessions.permissions.reply({ permissionId: ask.id, reply: decide })
      await ended
      return { ask, part: await lab.lastCall(id) }
    },
    /** The names of the tools in the last request of a step. */
    offered() {
      const tools = (lab.provider.requests.findLast(({ body }) => body['stream'] === true)?.body['tools'] ??
        []) as {
        function: { name: string }
      }[]
      return tools.map((tool) => tool.function.name)
    },
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]()
      await host[Symbol.asyncDispose]()
    },
  }
}

test('MC-2 a tool of a program is offered, asked about, executed, and its result kept', async () => {
  await using lab = await openLab()
  const { ask, part } = await lab.call('lab_echo {"text":"hi"}')
  expect(lab.offered()).toContain('lab_echo')
  expect(ask).toMatchObject({
    tool: 'lab_echo',
    args: { text: 'hi' },
    reason: 'This calls the MCP server lab.',
    patterns: ['lab_echo', 'lab_*'],
  })
  expect(part).toMatchObject({
    type: 'tool-lab_echo',
    state: 'output-available',
    toolMetadata: { mcp: { server: 'lab', tool: 'echo' } },
    output: { text: 'echo: hi', data: { server: 'lab', tool: 'echo' } },
  })
})

test('PE-2 a lasting permission for an MCP tool counts, and one that is denied is not called', async () => {
  await using lab = await openLab()
  expect((await lab.call('lab_echo {"text":"no"}', 'deny')).part).toMatchObject({ state: 'output-denied' })
  await lab.call('lab_echo {"text":"a"}', 'session')
  expect(await lab.call('lab_echo {"text":"b"}')).toMatchObject({
    ask: null,
    part: { output: { text: 'echo: b' } },
  })
  expect((await lab.call('lab_fail {}')).ask).not.toBeNull()
})

test('PE-6 plan mode denies the tools of MCP servers, read-only or not', async () => {
  await using lab = await openLab()
  await lab.sessions.permissions.setMode(lab.id, 'plan')
  expect(await lab.call('lab_echo {"text":"a"}')).toMatchObject({
    ask: null,
    part: { state: 'output-denied' },
  })
})

test('TO-1 a bad argument for an MCP tool is an error for the model, and nobody is asked', async () => {
  await using lab = await openLab()
  const { ask, part } = await lab.call('lab_echo {"text":3}')
  expect(ask).toBeNull()
  expect(part).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('"text" must be of type string'),
  })
})

test('TO-3 a long text of a tool comes as its beginning, and all of it is in a blob', async () => {
  await using lab = await openLab()
  expect((await lab.call('lab_big {}')).part).toMatchObject({
    output: {
      text: expect.stringMatching(/^ä{32000}\n\n\[Only the first 64000 of 600007 bytes\. .*: output:\S+\]$/),
      whole: { providerMetadata: { palimpsest: { bytes: 600_007 } } },
      metadata: { truncated: true, output_path: expect.stringMatching(/^output:/) },
    },
  })
})

test('MC-2 a server that exits during a call fails that call, and the conversation goes on', async () => {
  await using lab = await openLab()
  expect((await lab.call('lab_die {}')).part).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('out of memory, sort of'),
    toolMetadata: { mcp: { server: 'lab', tool: 'die' } },
  })
  expect(lab.sessions.mcp.servers()[0]?.state).toMatchObject({ type: 'failed' })
  await expect.poll(() => lab.sessions.mcp.servers()[0]?.state.type, { timeout: 10_000 }).toBe('ready')
  expect((await lab.call('lab_echo {"text":"back"}')).part).toMatchObject({ output: { text: 'echo: back' } })
})

test('SV-4 a server that cannot be started is reported and left out, and the turn is made', async () => {
  await using lab = await openLab([
    scriptProgram('console.error("no key"); process.exit(1)', 'bad'),
    labProgram(),
  ])
  await lab.call('hello')
  expect(lab.offered()).toContain('lab_echo')
  await expect
    .poll(() => lab.sessions.mcp.servers()[0])
    .toMatchObject({
      name: 'bad',
      state: { type: 'failed', reason: 'The server ended with code 1. no key' },
      tools: [],
    })
  const { items } = await lab.sessions.messages({ sessionId: lab.id })
  const { body } = await lab.sessions.systemPrompt(lab.id, items.at(-1)?.id ?? '')
  expect(body).toContain('MCP servers that are not connected: bad')
})

test('MC-2 a tool that was added during a turn is offered from the next turn on', async () => {
  await using lab = await openLab()
  await lab.call('lab_change {}')
  expect(lab.offered()).not.toContain('lab_added1')
  await expect.poll(() => lab.sessions.mcp.servers()[0]?.tools.map(({ name }) => name)).toContain('added1')
  await lab.call('hello')
  expect(lab.offered()).toContain('lab_added1')
})

test('TO-4 an abort ends a call that hangs, and the end of the core ends the servers', async () => {
  await using lab = await openLab()
  await lab.sessions.permissions.setMode(lab.id, 'full-access')
  const { runId } = await lab.say('lab_hang {}', lab.id)
  await expect.poll(async () => (await lab.lastCall(lab.id))?.state).toBe('approval-responded')
  await lab.sessions.abort(lab.id, runId)
  expect(await lab.sessions.status(lab.id)).toEqual({ state: 'idle' })
  expect((await lab.running()).length).toBe(1)
  await lab.core.shutdown(0)
  expect(await lab.running()).toEqual([])
})
