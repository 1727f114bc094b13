import type { Client, PriorDiscovery, Transport } from '@modelcontextprotocol/client'
import { untilAborted } from '@palimpsest/core/domain'
import { MCP_LIMITS, type McpConnection, type McpOutput } from '@palimpsest/core/ports'
import packageJson from '../../../package.json' with { type: 'json' }
import { listTools } from './list-tools.ts'
import { toOutput } from './to-output.ts'

type Sdk = typeof import('@modelcontextprotocol/client')

/** Milliseconds in which a server has to say which revision of the protocol it speaks, before the older way is tried. */
const PROBE_MS = 15_000
/** Longer than anything that ends a request of ours: limits of time are signals. */
const NO_TIMEOUT = 86_400_000

export type OpenedTransport = {
  transport: Transport
  /** Why the transport has ended; null while it has not. */
  reason(): string | null
  /** True for a failure of a call after which the connection is no longer used. */
  isLost(error: unknown): boolean
  end(): Promise<void>
}

export type ClientSettings = {
  sdk: Sdk
  /** Removes the secrets of the configuration. */
  redact(text: string): string
  /** Keeps a text in a file and returns its path; null when that fails. */
  keep(text: string): Promise<string | null>
}

/** Connects over a transport, which is ended when that fails. */
export async function openClient(
  opened: OpenedTransport,
  prior: PriorDiscovery | null,
  signal: AbortSignal,
  { sdk, redact, keep }: ClientSettings,
): Promise<McpConnection & { era: 'legacy' | 'modern' | null }> {
  const { transport } = opened
  const changed = new Set<() => void>()
  const client: Client = new sdk.Client(
    { name: 'palimpsest', version: packageJson.version },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_MS } },
      listChanged: {
        tools: {
          autoRefresh: false,
          onChanged: () => {
            for (const listener of changed) listener()
          },
        },
      },
    },
  )
  // What goes wrong beside a request is no reason to end the connection.
  client.onerror = () => undefined
  const { promise: closed, resolve: lose } = Promise.withResolvers<string>()
  client.onclose = () => lose(redact(opened.reason() ?? 'The connection was closed.'))
  const options = { signal, timeout: NO_TIMEOUT }
  const explain = (error: unknown) => new Error(redact(opened.reason() ?? messageOf(error)), { cause: error })

  async function end(): Promise<void> {
    await client.close().catch(() => undefined)
    await opened.end()
  }

  try {
    // While it finds out the revision the client does not watch the signal.
    await untilAborted(client.connect(transport, { ...options, ...(prior !== null && { prior }) }), signal)
  } catch (error) {
    const failure = explain(error)
    await end()
    throw failure
  }
  return {
    era: client.getProtocolEra() ?? null,
    closed,
    onToolsChanged: (listener) => changed.add(listener),
    close: end,
    tools: (within) => listTools(client, { signal: within, timeout: NO_TIMEOUT }),
    async call({ name, inputSchema }, args, within): Promise<McpOutput> {
      try {
        // Without a schema of results: to compile a server's schema is work that the server could choose.
        const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } }
        const called = { name, arguments: { ...args } }
        const result = await client.callTool(called, { signal: within, timeout: NO_TIMEOUT, toolDefinition })
        return await bounded(toOutput(result), keep)
      } catch (error) {
        if (!within.aborted && opened.isLost(error)) lose(explain(error).message)
        throw explain(error)
      }
    },
  }
}

/** The head of a long text, with the path of all of it. */
async function bounded(
  output: Pick<McpOutput, 'text' | 'isError' | 'structured'>,
  keep: ClientSettings['keep'],
): Promise<McpOutput> {
  const { text, isError } = output
  const limit = isError ? MCP_LIMITS.error : MCP_LIMITS.output
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return { ...output, truncated: false, outputPath: null }
  // A character that is cut in two is left out.
  const head = new TextDecoder().decode(bytes.subarray(0, limit), { stream: true })
  return { ...output, text: head, truncated: true, outputPath: await keep(text) }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MCP_LIMITS.error)
}
