import { silentLogger } from '@palimpsest/core/testing'
import { expect, test } from 'vitest'
import { mcpServersOf, mcpServersSchema } from './mcp-config.ts'

const VARIABLES: Readonly<Record<string, string>> = { WIKI: 'canary-token', EMPTY: '' }

function read(config: unknown) {
  const warned: object[] = []
  const logger = { ...silentLogger, warn: (facts: object) => void warned.push(facts) }
  const servers = mcpServersOf(mcpServersSchema.parse(config), {
    readSecret: ({ env }) => VARIABLES[env],
    logger,
  })
  return { servers, warned }
}

test('MC-2 a server of the configuration gets the variables that it names, which are secrets', () => {
  const { servers } = read({
    files: { command: 'npx', args: ['-y', 'x'], env: { MODE: 'on', KEY: { env: 'WIKI' } }, timeoutMs: 1_000 },
    wiki: { url: 'https://wiki.example/mcp', headers: { Authorization: { env: 'WIKI', prefix: 'Bearer ' } } },
  })
  expect(servers).toEqual([
    {
      kind: 'stdio',
      name: 'files',
      command: 'npx',
      args: ['-y', 'x'],
      cwd: process.cwd(),
      variables: { MODE: 'on', KEY: 'canary-token' },
      timeoutMs: 1_000,
      secrets: ['canary-token', 'canary-token'],
    },
    {
      kind: 'http',
      name: 'wiki',
      url: 'https://wiki.example/mcp',
      signInServers: [],
      headers: { Authorization: 'Bearer canary-token' },
      secrets: ['Bearer canary-token', 'canary-token'],
    },
  ])
})

test('SV-4 a server that is off, or whose variable is not set, is left out, and the others stay', () => {
  const { servers, warned } = read({
    off: { command: 'x', enabled: false },
    unset: { command: 'x', env: { KEY: { env: 'MISSING' } } },
    empty: { url: 'http://127.0.0.1:1/', headers: { 'X-Key': { env: 'EMPTY' } } },
    on: { command: 'x' },
  })
  expect(servers.map(({ name }) => name)).toEqual(['on'])
  expect(warned).toEqual([
    { server: 'unset', variable: 'MISSING' },
    { server: 'empty', variable: 'EMPTY' },
  ])
})

test.each([
  [{ a_b: { command: 'x' } }, 'a_b'],
  [{ lab: { command: '' } }, 'lab.command'],
  [{ lab: {} }, 'lab.command'],
  [{ lab: { url: 'file:///etc' } }, 'lab.url'],
  [{ lab: { url: 'http://a', command: 'x' } }, 'lab'],
  [{ lab: { command: 'x', env: { 'A B': 'x' } } }, 'lab.env'],
  [{ lab: { url: 'http://a', headers: { a: { env: 'x', more: 1 } } } }, 'lab.headers.a'],
])('CF-1 the wrong server %j is refused by its key', (config, field) => {
  const { error } = mcpServersSchema.safeParse(config)
  expect(error?.issues[0]?.path.join('.').startsWith(field)).toBe(true)
})

test('CF-1 at most 50 servers are configured', () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`s${at}`, { command: 'x' }]))
  expect(mcpServersSchema.safeParse(many).success).toBe(false)
})
