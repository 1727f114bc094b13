import { silentLogger } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { mcpServersOf, mcpServersSchema } from './mcp-config.ts'

const VARIABLES: Readonly<Record<string, string>> = {
  WIKI: 'canary-token',
  EMPTY: '',
  KEY: '-----BEGIN PRIVATE KEY-----\\nabc',
}

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

const CLIENT = { issuer: 'https://auth.example', clientId: 'palimpsest' }

test('MC-2 a client of the configuration gets its secret or its key from a variable, for people or for itself', () => {
  const url = 'https://wiki.example/mcp'
  const { servers, warned } = read({
    person: { url, signIn: { as: 'person', ...CLIENT, clientSecret: { env: 'WIKI' } } },
    public: { url, signIn: { as: 'person', ...CLIENT } },
    secret: { url, signIn: { as: 'machine', ...CLIENT, scope: 'read', clientSecret: { env: 'WIKI' } } },
    key: { url, signIn: { as: 'machine', ...CLIENT, privateKey: { env: 'KEY' } } },
    unset: { url, signIn: { as: 'machine', ...CLIENT, clientSecret: { env: 'MISSING' } } },
  })
  const privateKey = '-----BEGIN PRIVATE KEY-----\nabc'
  expect(servers.map((server) => server.kind === 'http' && server.signIn)).toEqual([
    { as: 'person', ...CLIENT, clientSecret: 'canary-token' },
    { as: 'person', ...CLIENT },
    { as: 'machine', ...CLIENT, scope: 'read', proof: { clientSecret: 'canary-token' } },
    { as: 'machine', ...CLIENT, proof: { privateKey, algorithm: 'RS256' } },
  ])
  expect(servers.map(({ secrets }) => secrets.includes('canary-token'))).toEqual([true, false, true, false])
  expect(warned).toEqual([{ server: 'unset', variable: 'MISSING' }])
})

test.each([
  [{ as: 'robot', ...CLIENT }, 'lab.signIn.as'],
  [{ as: 'person', clientId: 'x' }, 'lab.signIn.issuer'],
  [{ as: 'machine', ...CLIENT }, 'lab.signIn'],
  [{ as: 'machine', ...CLIENT, clientSecret: { env: 'A' }, privateKey: { env: 'B' } }, 'lab.signIn'],
  [{ as: 'machine', ...CLIENT, clientSecret: 'in the file' }, 'lab.signIn.clientSecret'],
  [{ as: 'machine', ...CLIENT, privateKey: { env: 'B' }, algorithm: 'none' }, 'lab.signIn.algorithm'],
])('CF-1 the wrong sign-in %j is refused by its key', (signIn, field) => {
  const { error } = mcpServersSchema.safeParse({ lab: { url: 'https://a', signIn } })
  expect(error?.issues[0]?.path.join('.')).toBe(field)
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
