import { systemClock } from '@palimpsest/core'
import type { McpServers } from '@palimpsest/core/ports'
import { createMemoryStore, createMemoryVault } from '@palimpsest/testing'
import { expect } from 'vitest'
import { createMcpServers, type McpServerSettings } from '../../adapters/mcp/mcp-servers.ts'
import { createCredentials } from '../../adapters/mcp/sign-in/credentials.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type AuthLie, startProtectedLab } from './auth-server.ts'
import { toolNamed } from './lab-settings.ts'

/** Where sign-ins of tests lead back to. */
export const ORIGIN = 'http://127.0.0.1:4000'

type LabSettings = {
  lie?: AuthLie
  /** Whether the configuration names the authorisation server. */
  allowed?: boolean
  /** Scopes that calls need, by the tool. */
  needs?: Readonly<Record<string, string>>
}

type HttpSettings = Extract<McpServerSettings, { kind: 'http' }>

/** A server that asks for a sign-in, and hosts that share what is stored of it. */
export async function openSignInLab({ lie = {}, allowed = true, needs = {} }: LabSettings = {}) {
  const folder = await temporaryFolder()
  const server = await startProtectedLab(lie, needs)
  const store = createMemoryStore()
  const vault = createMemoryVault()
  const credentials = createCredentials({ settings: store.settings, vault, clock: systemClock })
  const redacted: string[] = []
  const signInServers = allowed ? [server.origin] : []
  const host = (over: Partial<HttpSettings> = {}): McpServers =>
    createMcpServers({
      servers: [
        { kind: 'http', name: 'lab', url: server.url, headers: {}, signInServers, secrets: [], ...over },
      ],
      clock: systemClock,
      owner: folder.path,
      credentials,
      redactFromLogs: (secrets) => void redacted.push(...secrets),
    })
  return {
    redacted,
    server,
    store,
    host,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

export const soon = () => AbortSignal.timeout(20_000)

/** Opens the page of a sign-in, and returns what it leads back with. */
export async function visit(page: string): Promise<URLSearchParams> {
  const { headers } = await fetch(page, { redirect: 'manual' })
  return new URL(headers.get('location') ?? 'none:').searchParams
}

export async function signIn(host: McpServers): Promise<void> {
  const page = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  expect(await host.signIns?.finish(await visit(page))).toBe('lab')
}

/** Calls a tool, in a connection of its own. */
export async function call(host: McpServers, tool: string, args: object = {}): Promise<unknown> {
  const connection = await host.connect('lab', soon())
  try {
    return await connection.call(toolNamed(tool), args, soon())
  } finally {
    await connection.close()
  }
}

export const echo = (host: McpServers, text: string) => call(host, 'echo', { text })
