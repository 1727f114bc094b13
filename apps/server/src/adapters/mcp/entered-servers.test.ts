import { systemClock } from '@palimpsest/core'
import type { McpDefinition } from '@palimpsest/core/domain'
import type { McpServers } from '@palimpsest/core/ports'
import { createMemoryStore, createMemoryVault } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { startLabHttp } from '../../testing/mcp/http-server.ts'
import { labProgram, labServers } from '../../testing/mcp/lab-settings.ts'
import { echo, openSignInLab, signIn, soon } from '../../testing/mcp/sign-in-lab.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { OWNER, processesWith } from '../bash/marked-processes.ts'
import { openEnteredServers } from './entered-servers.ts'
import { createCredentials } from './sign-in/credentials.ts'

const SECRET = 'canary-token-81d2'
const program: McpDefinition = (() => {
  const settings = labProgram()
  if (settings.kind !== 'stdio') throw new Error('The lab is a program.')
  return { kind: 'stdio', command: settings.command, args: [...settings.args], env: { KEY: SECRET } }
})()

/** Hosts that share what is stored, beside the servers of a configuration. */
async function openHosts(configured = (folder: string): McpServers => labServers([], folder)) {
  const folder = await temporaryFolder()
  const { settings } = createMemoryStore()
  const vault = createMemoryVault()
  const redacted: string[] = []
  const credentials = createCredentials({ settings, vault, clock: systemClock })
  return {
    settings,
    redacted,
    processes: () => processesWith(OWNER, folder.path),
    open: () =>
      openEnteredServers(configured(folder.path), {
        settings,
        vault,
        credentials,
        clock: systemClock,
        owner: folder.path,
        redactFromLogs: (secrets) => void redacted.push(...secrets),
      }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test('MC-2 a server that was entered is used at once and by the next host, its definition is encrypted, and removal forgets it', async () => {
  await using hosts = await openHosts()
  const host = await hosts.open()
  await host.entries?.put('lab', program)
  expect(await echo(host, 'hi')).toMatchObject({ text: 'echo: hi' })
  const next = await hosts.open()
  expect(next.servers).toEqual([
    { name: 'lab', kind: 'stdio', entered: { address: program.kind === 'stdio' && program.command } },
  ])
  expect(await echo(next, 'again')).toMatchObject({ text: 'echo: again' })
  const stored = JSON.stringify([...(await hosts.settings.values())])
  expect(stored).not.toContain(SECRET)
  expect(JSON.stringify(next.servers)).not.toContain(SECRET)
  expect(hosts.redacted).toContain(SECRET)
  expect(await next.entries?.remove('lab')).toBe(true)
  expect(await next.entries?.remove('lab')).toBe(false)
  expect([next.servers, [...(await hosts.settings.values())]]).toEqual([[], []])
  await expect(next.connect('lab', soon())).rejects.toThrow('There is no MCP server lab.')
})

test('MC-2 a server of the configuration counts before one that was entered under its name', async () => {
  await using lab = await startLabHttp()
  const inFile = {
    kind: 'http',
    name: 'lab',
    url: lab.url,
    headers: {},
    signInServers: [],
    secrets: [],
  } as const
  await using hosts = await openHosts((folder) => labServers(names.length > 0 ? [inFile] : [], folder))
  const names: string[] = []
  await (await hosts.open()).entries?.put('lab', program)
  names.push('lab')
  const host = await hosts.open()
  expect(host.servers).toEqual([{ name: 'lab', kind: 'http' }])
  await echo(host, 'by HTTP')
  expect(lab.requests.length).toBeGreaterThan(0)
})

test('MC-2 a test lists the tools, leaves no process and nothing stored, and says why it failed', async () => {
  await using hosts = await openHosts()
  const host = await hosts.open()
  const tested = await host.entries?.test('lab', program, soon())
  const tools = tested !== undefined && 'list' in tested ? tested.list.tools : []
  expect(tools.slice(0, 2).map(({ name, hints }) => ({ name, hints }))).toEqual([
    { name: 'echo', hints: ['read-only'] },
    { name: 'add', hints: undefined },
  ])
  await expect.poll(hosts.processes).toEqual([])
  const nowhere: McpDefinition = { kind: 'stdio', command: '/nowhere/at-all', args: [], env: {} }
  expect(await host.entries?.test('lab', nowhere, soon())).toMatchObject({
    message: expect.stringContaining('ENOENT'),
    signIn: false,
  })
  expect([host.servers, [...(await hosts.settings.values())]]).toEqual([[], []])
})

test('MC-2 a server that was entered asks for a sign-in, and one that nobody has begun ends nowhere', async () => {
  await using lab = await openSignInLab()
  await using hosts = await openHosts()
  const host = await hosts.open()
  const definition: McpDefinition = { kind: 'http', url: lab.server.url, headers: {} }
  expect(await host.entries?.test('lab', definition, soon())).toMatchObject({ signIn: true })
  await host.entries?.put('lab', definition)
  await expect(host.connect('lab', soon())).rejects.toThrow('needs a sign-in')
  expect(host.signIns?.state('lab')).toBe('needed')
  await expect(host.signIns?.finish(new URLSearchParams({ state: 'x' }))).rejects.toThrow(
    'not known any more',
  )
  expect(host.signIns?.state('other')).toBeNull()
})

test('MC-2 a sign-in at a server of the configuration goes on beside those that were entered', async () => {
  await using lab = await openSignInLab()
  await using hosts = await openHosts(() => lab.host())
  const host = await hosts.open()
  await host.entries?.put('notes', program)
  await signIn(host)
  expect(host.signIns?.state('lab')).toBe('done')
  expect(await echo(host, 'in')).toMatchObject({ text: 'echo: in' })
  await host.signIns?.end('lab')
  expect(host.signIns?.state('lab')).not.toBe('done')
})

test('MC-2 a stored definition that was changed, moved to another name, or is no definition is left out', async () => {
  await using hosts = await openHosts()
  await (await hosts.open()).entries?.put('lab', program)
  const sealed = (await hosts.settings.values()).get('mcp.server.lab')
  await hosts.settings.setValues(
    new Map<string, unknown>([
      ['mcp.server.moved', sealed],
      ['mcp.server.odd', { command: 'sh' }],
    ]),
    1,
  )
  expect((await hosts.open()).servers.map(({ name }) => name)).toEqual(['lab'])
})
