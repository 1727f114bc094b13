import type { McpDefinition } from '@palimpsest/core/domain'
import type {
  McpAttempted,
  McpEntries,
  McpServerInfo,
  McpServers,
  McpSignIns,
  SettingsStore,
  Vault,
} from '@palimpsest/core/ports'
import { z } from 'zod'
import { createMcpServers, type McpServerSettings, type McpSettings } from './mcp-servers.ts'

type Host = Omit<McpSettings, 'servers'> & {
  settings: Pick<SettingsStore, 'values' | 'setValues'>
  vault: Vault
}

/** A server that a person entered, and what reaches it. */
type Entered = { info: McpServerInfo; servers: McpServers }

const texts = z.record(z.string(), z.string())
const definitionSchema: z.ZodType<McpDefinition> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stdio'), command: z.string(), args: z.array(z.string()), env: texts }),
  z.object({ kind: z.literal('http'), url: z.string(), headers: texts }),
])

const PREFIX = 'mcp.server.'
/** A definition that is moved to another name cannot be decrypted. */
const purposeOf = (name: string) => JSON.stringify(['mcp-server', name])

/**
 * The servers of the configuration and, after them, those that persons entered, which are read once, at the start. One of the
 * configuration counts before an entered one of its name.
 */
export async function openEnteredServers(configured: McpServers, host: Host): Promise<McpServers> {
  const { settings, clock } = host
  const entered = new Map<string, Entered>()
  /** Where sign-ins that have begun end, by the state that their page leads back with. */
  const begun = new Map<string, McpSignIns>()
  let all: readonly McpServerInfo[] = configured.servers

  function list(): void {
    all = [...configured.servers, ...[...entered.values()].map(({ info }) => info)]
  }

  function open(name: string, definition: McpDefinition): Entered {
    const servers = createMcpServers({ ...host, servers: [settingsOf(name, definition)] })
    const address = definition.kind === 'stdio' ? definition.command : definition.url.replace(/[?#].*$/s, '')
    return { info: { name, kind: definition.kind, entered: { address } }, servers }
  }

  const signInsOf = (name: string) => entered.get(name)?.servers.signIns ?? configured.signIns

  for (const [name, definition] of await storedServers(host))
    if (!configured.servers.some((server) => server.name === name)) entered.set(name, open(name, definition))
  list()

  const entries: McpEntries = {
    async test(name, definition, signal): Promise<McpAttempted> {
      const { servers } = open(name, definition)
      try {
        const connection = await servers.connect(name, signal)
        return { list: await connection.tools(signal).finally(() => connection.close()) }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        return { message, signIn: servers.signIns?.state(name) === 'needed' }
      }
    },
    async put(name, definition) {
      const sealed = await host.vault.seal(JSON.stringify(definition), purposeOf(name))
      await settings.setValues(new Map([[PREFIX + name, sealed]]), clock.now())
      entered.set(name, open(name, definition))
      list()
    },
    async remove(name) {
      const gone = entered.get(name)
      if (gone === undefined) return false
      if (gone.servers.signIns?.state(name)) await gone.servers.signIns.end(name)
      await settings.setValues(new Map([[PREFIX + name, null]]), clock.now())
      entered.delete(name)
      list()
      return true
    },
  }

  return {
    get servers() {
      return all
    },
    entries,
    connect: (name, signal) => (entered.get(name)?.servers ?? configured).connect(name, signal),
    signIns: {
      state: (name) => signInsOf(name)?.state(name) ?? null,
      widerScope: (name) => signInsOf(name)?.widerScope(name) ?? null,
      async begin(name, origin) {
        const signIns = signInsOf(name)
        if (signIns === undefined) throw new Error('There is no sign-in at this server.')
        const page = await signIns.begin(name, origin)
        begun.set(new URL(page).searchParams.get('state') ?? '', signIns)
        return page
      },
      async finish(params) {
        const state = params.get('state') ?? ''
        const signIns = begun.get(state) ?? configured.signIns
        begun.delete(state)
        if (signIns === undefined) throw new Error('This sign-in is not known any more. Begin it again.')
        return await signIns.finish(params)
      },
      end: async (name) => await signInsOf(name)?.end(name),
    },
  }
}

/** What was entered before, by name. A definition that cannot be decrypted or read is left out. */
async function storedServers({ settings, vault }: Host): Promise<[string, McpDefinition][]> {
  const stored = [...(await settings.values())].filter(([key]) => key.startsWith(PREFIX))
  const found: [string, McpDefinition][] = []
  for (const [key, sealed] of stored) {
    const name = key.slice(PREFIX.length)
    const text = typeof sealed === 'string' ? await vault.open(sealed, purposeOf(name)) : null
    const read = text === null ? null : definitionSchema.safeParse(JSON.parse(text))
    if (read?.success === true) found.push([name, read.data])
  }
  return found
}

/** Every longer value that a person entered may be a secret, and is removed from logs and reasons. */
function settingsOf(name: string, definition: McpDefinition): McpServerSettings {
  if (definition.kind === 'stdio') {
    const { command, args, env } = definition
    const secrets = [...Object.values(env), ...args.slice(1)].filter(isLong)
    return { kind: 'stdio', name, command, args, variables: env, cwd: process.cwd(), secrets }
  }
  const { url, headers } = definition
  const values = Object.values(headers).filter(isLong)
  const secrets = [...values, ...values.map((value) => value.replace(/^\w+ /, ''))]
  return { kind: 'http', name, url, headers, signInServers: [], secrets }
}

/** A short text, such as a mode or a number, is no secret, and would make logs unreadable. */
const isLong = (value: string) => value.length >= 12
