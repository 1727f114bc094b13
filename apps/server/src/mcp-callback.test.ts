import { systemClock } from '@palimpsest/core'
import { createMemoryStore, createMemoryVault } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createMcpServers } from './adapters/mcp/mcp-servers.ts'
import { createCredentials } from './adapters/mcp/sign-in/credentials.ts'
import { callProcedure } from './testing/call-procedure.ts'
import { startProtectedLab } from './testing/mcp/auth-server.ts'
import { startTestServer } from './testing/start-test-server.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const SERVERS = { path: 'mcp.servers', type: 'query' } as const
const SIGN_IN = { path: 'mcp.signIn', type: 'mutation' } as const
const SIGN_OUT = { path: 'mcp.signOut', type: 'mutation' } as const

/** A whole server that has an MCP server which asks for a sign-in. */
async function openLab() {
  const folder = await temporaryFolder()
  const protectedLab = await startProtectedLab()
  const store = createMemoryStore()
  const vault = createMemoryVault()
  const mcp = createMcpServers({
    servers: [
      {
        kind: 'http',
        name: 'lab',
        url: protectedLab.url,
        headers: {},
        signInServers: [protectedLab.origin],
        secrets: [],
      },
    ],
    clock: systemClock,
    owner: folder.path,
    credentials: createCredentials({ settings: store.settings, vault, clock: systemClock }),
  })
  const server = await startTestServer({ ports: { mcp } })
  const call = async (procedure: Parameters<typeof callProcedure>[1], input: object) =>
    await callProcedure(server.url, procedure, input)
  return {
    url: server.url,
    call,
    registered: () => protectedLab.seen.registered,
    data: async (procedure: Parameters<typeof callProcedure>[1], input: object) =>
      JSON.parse((await call(procedure, input)).body).result.data,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await protectedLab[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('MC-2 a sign-in leads through the page of the authorisation server back to a server that is then connected', async () => {
  await using lab = await openLab()
  const { url: page } = await lab.data(SIGN_IN, { name: 'lab', origin: new URL(lab.url).origin })
  const { headers } = await fetch(page, { redirect: 'manual' })
  const back = headers.get('location') ?? ''
  expect(back.startsWith(`${new URL(lab.url).origin}/mcp/callback?`)).toBe(true)
  // A browser that comes from another site sends no cookie.
  const answer = await fetch(back, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(await answer.text()).toBe('You are signed in at lab. You can close this tab.')
  await expect
    .poll(async () => (await lab.data(SERVERS, {})).items[0])
    .toMatchObject({ state: { type: 'ready' }, signIn: 'done' })
  expect((await fetch(back)).status).toBe(400)
  await lab.call(SIGN_OUT, { name: 'lab' })
  await expect
    .poll(async () => (await lab.data(SERVERS, {})).items[0])
    .toMatchObject({ state: { type: 'failed', reason: 'The server needs a sign-in.' }, signIn: 'needed' })
})

test('MC-2 what leads back without a sign-in, or by another method, changes nothing', async () => {
  await using lab = await openLab()
  const path = `${new URL(lab.url).origin}/mcp/callback`
  const forged = await fetch(`${path}?code=a&state=<script>`)
  expect(forged.status).toBe(400)
  expect(await forged.text()).toBe('This sign-in is not known any more. Begin it again.')
  expect((await fetch(path, { method: 'POST' })).status).toBeGreaterThanOrEqual(400)
  const { failure } = await lab.call(SIGN_IN, { name: 'other', origin: new URL(lab.url).origin })
  expect(failure?.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'name' })
})

test.for(['https://evil.example', 'http://127.0.0.1:1', 'http://localhost:1', 'https://127.0.0.1:1'])(
  'MC-2 a sign-in leads back to no address but this server’s: %s is refused before anything is asked',
  async (origin) => {
    await using lab = await openLab()
    const { failure } = await lab.call(SIGN_IN, { name: 'lab', origin })
    expect(failure?.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'origin' })
    expect(lab.registered()).toBe(0)
  },
)
