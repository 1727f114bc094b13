import { execFileSync } from 'node:child_process'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CorePorts } from '@palimpsest/core'
import type { Logger } from 'pino'
import { expect, test, vi } from 'vitest'
import { type Config, EMPTY_CONFIG } from './config-file.ts'
import { openContainer } from './container.ts'
import { readEnv } from './env.ts'
import { mcpServersSchema } from './mcp-config.ts'
import { pdfWith } from './testing/pdf-bytes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const LAB = { kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', models: { m1: {} } } as const

/** Everything that a server with these settings consists of, and the warnings. */
async function open(environment: Record<string, string> = {}, config: Partial<Config> = {}) {
  const folder = await temporaryFolder()
  const url = `file:${join(folder.path, 'deep', 'chat.db')}`
  const env = readEnv({ DATABASE_URL: url, PALIMPSEST_DISCOVER: 'off', ...environment })
  const warned: unknown[] = []
  const redacted: string[] = []
  const warn = vi.fn((facts: unknown) => warned.push(facts))
  // Nothing else is said while settings are read.
  const logger = { warn, info: vi.fn(), error: vi.fn(), debug: vi.fn() } as unknown as Logger
  const container = await openContainer({
    env,
    config: { ...EMPTY_CONFIG, ...config },
    logger,
    readSecret: ({ env: name }) => environment[name],
    redactFromLogs: (secrets) => void redacted.push(...secrets),
  })
  return {
    ...container,
    folder: folder.path,
    warned,
    redacted,
    async [Symbol.asyncDispose]() {
      await container.ports.store[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function providersOf({ models }: CorePorts): Promise<string[]> {
  return [...new Set((await models.list()).map(({ providerId }) => providerId))].toSorted()
}

test('CF-1 with nothing set there is a store, the demo model and a server on loopback', async () => {
  await using opened = await open()
  expect(opened.settings).toEqual({
    host: '127.0.0.1',
    port: 3000,
    token: undefined,
    allowedHosts: [],
    requestsPerMinute: 6000,
    web: 'production',
  })
  expect(await providersOf(opened.ports)).toEqual(['demo'])
  expect((await opened.ports.models.defaultModel()).providerId).toBe('demo')
  expect(opened.ports.workspaces).toMatchObject({ folders: [process.cwd()], defaultFolder: null })
  expect(opened.ports.snapshots).toBeDefined()
  expect(opened.warned).toEqual([])
})

test('SX-9 the folder of the demo is made when it is first needed, and is the only one beside the database that resolves', async () => {
  await using opened = await open()
  const { demo, resolve } = opened.ports.workspaces
  const root = demo?.root ?? ''
  expect(await resolve(root)).toBeNull()
  await demo?.make()
  await writeFile(join(root, 'README.md'), 'Mine')
  await demo?.make()
  expect(await readFile(join(root, 'README.md'), 'utf8')).toBe('Mine')
  expect(await resolve(root)).toBe(root)
  for (const path of [dirname(root), join(dirname(root), 'outputs')]) expect(await resolve(path)).toBeNull()
})

test('TO-1 a server reads PDFs', async () => {
  await using opened = await open()
  const read = opened.ports.pdf?.read(pdfWith('One'), new AbortController().signal)
  expect(await read).toEqual({ type: 'pages', pages: ['One'], total: 1 })
})

test('CF-1 each setting of the environment takes effect', async () => {
  await using opened = await open({
    HOST: '0.0.0.0',
    PORT: '8123',
    PALIMPSEST_TOKEN: 'a-long-token-of-25-letters',
    PALIMPSEST_ALLOWED_HOSTS: 'chat.example, other.example',
    PALIMPSEST_RATE_LIMIT: '7',
    PALIMPSEST_WEB: 'off',
    PALIMPSEST_WORKSPACE: import.meta.dirname,
  })
  expect(opened.settings).toEqual({
    host: '0.0.0.0',
    port: 8123,
    token: 'a-long-token-of-25-letters',
    allowedHosts: ['chat.example', 'other.example'],
    requestsPerMinute: 7,
    web: 'off',
  })
  expect(opened.ports.workspaces).toMatchObject({
    folders: [import.meta.dirname],
    defaultFolder: import.meta.dirname,
  })
})

test('SV-2 a provider whose key is not set is left out and reported with its variable; the others are there', async () => {
  const providers = { lab: LAB, gateway: { ...LAB, apiKey: { env: 'GATEWAY_KEY' } } }
  await using without = await open({}, { providers })
  expect(await providersOf(without.ports)).toEqual(['demo', 'lab'])
  expect(without.warned).toEqual([{ providerId: 'gateway', variable: 'GATEWAY_KEY' }])
  await using withKey = await open({ GATEWAY_KEY: 'sk-1' }, { providers })
  expect(await providersOf(withKey.ports)).toEqual(['demo', 'gateway', 'lab'])
  expect(withKey.warned).toEqual([])
})

test('SV-2 sessions start with a configured provider before one whose key is in the environment', async () => {
  await using configured = await open({ OPENAI_API_KEY: 'sk-1' }, { providers: { lab: LAB } })
  expect(await configured.ports.models.defaultModel()).toMatchObject({
    providerId: 'lab',
    modelId: 'm1',
  })
  await using keyed = await open({ ANTHROPIC_API_KEY: 'sk-2' })
  expect((await keyed.ports.models.defaultModel()).providerId).toBe('anthropic')
})

test('CF-1 settings of the agent and of compaction reach the core, and none when the file has none', async () => {
  await using silent = await open()
  expect([silent.coreSettings.agent, silent.coreSettings.compaction]).toEqual([{}, {}])
  await using configured = await open(
    {},
    {
      compaction: { tail_turns: 3 },
      agents: { assistant: { maxSteps: 9, compaction: { tail_turns: 1 } } },
    },
  )
  expect(configured.coreSettings.compaction).toEqual({ tail_turns: 3 })
  expect(configured.coreSettings.agent).toEqual({ maxSteps: 9, compaction: { tail_turns: 1 } })
})

test('SX-5 headers and variables of MCP servers are removed from logs, with their prefix and without it', async () => {
  const mcpServers = mcpServersSchema.parse({
    web: {
      url: 'https://mcp.example/mcp',
      headers: { authorization: { env: 'WEB_TOKEN', prefix: 'Bearer ' }, 'x-key': 'canary-of-the-file' },
    },
    program: { command: 'program', env: { KEY: { env: 'PROGRAM_KEY' }, MODE: 'fast' } },
  })
  const environment = { WEB_TOKEN: 'canary-web', PROGRAM_KEY: 'canary-program' }
  await using opened = await open(environment, { mcpServers })
  expect([...new Set(opened.redacted)].toSorted()).toEqual([
    'Bearer canary-web',
    'canary-of-the-file',
    'canary-program',
    'canary-web',
  ])
})

test('RW-5 the setting switches snapshots on everywhere, or off', async () => {
  await using elsewhere = await temporaryFolder()
  await using on = await open({}, { snapshots: true })
  expect(await on.ports.snapshots?.covers(elsewhere.path)).toBe(true)
  await using off = await open({}, { snapshots: false })
  expect(off.ports.snapshots).toBeUndefined()
})

test('RW-5 without the setting the files of a checkout are kept, unless the rules let no tool change any', async () => {
  await using folder = await temporaryFolder()
  const root = await realpath(folder.path)
  await using opened = await open()
  expect(await opened.ports.snapshots?.covers(root)).toBe(false)
  execFileSync('git', ['init', '--quiet', root])
  expect(await opened.ports.snapshots?.covers(root)).toBe(true)
  const deny = { pattern: '*', action: 'deny', pinned: true } as const
  const permissions = [
    { permission: 'edit', ...deny },
    { permission: 'command', ...deny },
  ] as const
  await using reading = await open({}, { permissions: [...permissions] })
  expect(await reading.ports.snapshots?.covers(root)).toBe(false)
})

test('OB-3 a stored row that cannot be read is logged once, by its ids', async () => {
  await using opened = await open()
  const { store } = opened.ports
  const row = { title: 'A', agent: 'assistant', workspaceRoot: null, parentId: null, parentMessageId: null }
  const model = { providerId: 'demo', modelId: 'demo' }
  await store.sessions.create({ ...row, id: 'ses_a', model, metadata: {}, at: 1 })
  using database = new DatabaseSync(join(opened.folder, 'deep', 'chat.db'))
  database.exec("UPDATE chat_sessions SET metadata_json = '{'")
  for (let time = 0; time < 3; time++) expect(await store.sessions.get('ses_a')).not.toBeNull()
  expect(opened.warned).toEqual([{ table: 'chat_sessions', id: 'ses_a', sessionId: 'ses_a' }])
})
