import type { PriorDiscovery } from '@modelcontextprotocol/client'
import { createId, createSecretRedactor } from '@palimpsest/core/domain'
import type { Clock, McpConnection, McpServers } from '@palimpsest/core/ports'
import { createBoundedFetch } from './bounded-fetch.ts'
import { failCutAnswers } from './cut-answers.ts'
import { type ClientSettings, type OpenedTransport, openClient } from './open-client.ts'
import { createProcessTransport } from './process-transport.ts'
import { createReconnectScheduler } from './schedule-reconnect.ts'
import type { Credentials } from './sign-in/credentials.ts'
import { createMachineSignIn, type MachineClient } from './sign-in/machine-sign-in.ts'
import { createSignIns, type RegisteredClient } from './sign-in/sign-ins.ts'
import { refusalText } from './sign-in/wider-scope.ts'
import { createTraffic } from './traffic.ts'

type HttpSettings = Extract<McpServerSettings, { kind: 'http' }>
type Common = { name: string; timeoutMs?: number; secrets: readonly string[] }

/** A server of the configuration, with the values of the variables that it names. */
export type McpServerSettings = Common &
  (
    | {
        kind: 'stdio'
        command: string
        args: readonly string[]
        variables: Record<string, string>
        cwd: string
      }
    | {
        kind: 'http'
        url: string
        headers: Record<string, string>
        /** Origins of authorisation servers that may have any address. */
        signInServers: readonly string[]
        /** The client of sign-ins; without it one is registered when a person signs in. */
        signIn?: RegisteredClient | MachineClient
      }
  )

export type McpSettings = {
  servers: readonly McpServerSettings[]
  clock: Clock
  /** Names the store of this server: what an earlier server on it left running is ended by it. */
  owner: string
  /** Where sign-ins are stored; without it nobody signs in. */
  credentials?: Credentials
  /** Removes these values from every line of the log from now on. */
  redactFromLogs?(secrets: readonly string[]): void
}

/** MCP servers by the official client package, which is loaded once the first server is needed. */
export function createMcpServers({
  servers,
  clock,
  owner,
  credentials,
  redactFromLogs = () => undefined,
}: McpSettings): McpServers {
  redactFromLogs(servers.flatMap(({ secrets }) => secrets))
  // A header of the configuration counts before a sign-in.
  const open = servers.filter((server) => server.kind === 'http' && !hasAuthorization(server.headers))
  const persons = open.flatMap((server) => (isForPersons(server) ? [server] : []))
  const signIns =
    credentials === undefined ? null : createSignIns(persons, { credentials, clock, redactFromLogs })
  const machines = new Map(
    open.flatMap((server) =>
      isForMachine(server) && credentials !== undefined
        ? [[server.name, createMachineSignIn(server, { credentials, redactFromLogs })] as const]
        : [],
    ),
  )

  /** Servers that are known to speak an earlier revision, so that they are not asked again. */
  const legacy = new Set<string>()

  async function connect(name: string, signal: AbortSignal): Promise<McpConnection> {
    const server = servers.find((one) => one.name === name)
    if (server === undefined) throw new Error(`There is no MCP server ${name}.`)
    const sdk = await import('@modelcontextprotocol/client')
    const signedIn = () => machines.get(name)?.secrets() ?? signIns?.secretsOf(name) ?? []
    const secrets = () => [...server.secrets, ...signedIn()]
    const redact = (text: string) => createSecretRedactor(secrets())(text)
    const settings = { sdk, redact }
    const openBy = (prior: PriorDiscovery | null) =>
      openClient(openTransport(server, sdk), prior, signal, settings)
    const knownLegacy = legacy.delete(name)
    try {
      const connection = await openBy(knownLegacy ? { kind: 'legacy' } : null)
      if (connection.era === 'legacy') legacy.add(name)
      return connection
    } catch (error) {
      // A program of an earlier revision may end at a question that it does not know.
      if (server.kind === 'http' || knownLegacy || signal.aborted || !isUnknown(error)) throw error
      const connection = await openBy({ kind: 'legacy' })
      legacy.add(name)
      return connection
    }
  }

  function openTransport(server: McpServerSettings, sdk: ClientSettings['sdk']): OpenedTransport {
    if (server.kind === 'http') return openHttp(server, sdk)
    const program = { ...server, mark: createId('prc'), owner }
    const transport = createProcessTransport(program, clock, sdk.deserializeMessage)
    return {
      transport,
      headers: false,
      reason: () => transport.reason,
      isLost: () => false,
      explain: () => Promise.resolve(null),
      end: () => transport.close(),
    }
  }

  function openHttp(server: HttpSettings, sdk: ClientSettings['sdk']): OpenedTransport {
    const { name, url, headers } = server
    const person = signIns === null ? undefined : persons.find((one) => one.name === name)
    const authProvider = machines.get(name)?.provider(sdk) ?? (person && signIns?.providerOf(person, sdk))
    let reason: string | null = null
    const traffic = createTraffic(() => clock.elapsed())
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(authProvider && { authProvider }),
      reconnectionScheduler: createReconnectScheduler(clock),
      fetch: createBoundedFetch(traffic, (why) => {
        reason ??= why
        void transport.close()
      }),
    })
    failCutAnswers(transport)
    /** Anything but an answer of the protocol, or a failure of one request. */
    const isLost = (error: unknown) => {
      if (error instanceof sdk.SdkHttpError) return [401, 403, 404].includes(error.status ?? 404)
      return (
        error instanceof sdk.UnauthorizedError ||
        (error instanceof TypeError && error.message === 'fetch failed')
      )
    }
    const explain = async (error: unknown) => {
      if (!(error instanceof sdk.InsufficientScopeError)) return null
      const refused = person && signIns ? await signIns.refuse(person, error) : null
      return refusalText(refused, error.requiredScope)
    }
    return { transport, headers: true, reason: () => reason, isLost, explain, end: () => transport.close() }
  }

  return {
    servers: servers.map(({ name, kind, timeoutMs }) => ({
      name,
      kind,
      ...(timeoutMs !== undefined && { timeoutMs }),
    })),
    connect,
    ...(signIns !== null && { signIns }),
  }
}

type Person = HttpSettings & { signIn?: RegisteredClient }
type Machine = HttpSettings & { signIn: MachineClient }

function isForPersons(server: McpServerSettings): server is Person {
  return server.kind === 'http' && server.signIn?.as !== 'machine'
}

function isForMachine(server: McpServerSettings): server is Machine {
  return server.kind === 'http' && server.signIn?.as === 'machine'
}

function hasAuthorization(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** Whether the server ended while it was asked for its revision. */
function isUnknown(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause && cause.code === 'ERA_NEGOTIATION_FAILED'
}
