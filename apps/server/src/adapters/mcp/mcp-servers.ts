import type { PriorDiscovery } from '@modelcontextprotocol/client'
import { createId, createSecretRedactor } from '@palimpsest/core/domain'
import type { Clock, McpConnection, McpServers } from '@palimpsest/core/ports'
import { createBoundedFetch } from './bounded-fetch.ts'
import { type ClientSettings, type OpenedTransport, openClient } from './open-client.ts'
import { createProcessTransport } from './process-transport.ts'
import type { Credentials } from './sign-in/credentials.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { createTraffic } from './traffic.ts'

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
  const signIns =
    credentials === undefined
      ? null
      : createSignIns(
          open.filter((server) => server.kind === 'http'),
          { credentials, clock, redactFromLogs },
        )

  /** Servers that are known to speak an earlier revision, so that they are not asked again. */
  const legacy = new Set<string>()

  async function connect(name: string, signal: AbortSignal): Promise<McpConnection> {
    const server = servers.find((one) => one.name === name)
    if (server === undefined) throw new Error(`There is no MCP server ${name}.`)
    const sdk = await import('@modelcontextprotocol/client')
    const secrets = () => [...server.secrets, ...(signIns?.secretsOf(name) ?? [])]
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
      end: () => transport.close(),
    }
  }

  function openHttp(
    server: Extract<McpServerSettings, { kind: 'http' }>,
    sdk: ClientSettings['sdk'],
  ): OpenedTransport {
    const { name, url, headers } = server
    const signsIn = signIns !== null && open.some((one) => one.name === name)
    let reason: string | null = null
    const traffic = createTraffic(() => clock.elapsed())
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(signsIn && { authProvider: signIns.providerOf(server, sdk) }),
      fetch: createBoundedFetch(traffic, (why) => {
        reason ??= why
        void transport.close()
      }),
    })
    /** Anything but an answer of the protocol, or a failure of one request. */
    const isLost = (error: unknown) => {
      if (error instanceof sdk.SdkHttpError) return [401, 403, 404].includes(error.status ?? 404)
      return (
        error instanceof sdk.UnauthorizedError ||
        (error instanceof TypeError && error.message === 'fetch failed')
      )
    }
    return { transport, headers: true, reason: () => reason, isLost, end: () => transport.close() }
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

function hasAuthorization(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** Whether the server ended while it was asked for its revision. */
function isUnknown(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause && cause.code === 'ERA_NEGOTIATION_FAILED'
}
