import type {
  CallToolResult,
  Client,
  InputRequiredResult,
  PriorDiscovery,
  Transport,
} from '@modelcontextprotocol/client'
import { isObject, type Json, untilAborted } from '@palimpsest/core/domain'
import {
  MCP_LIMITS,
  type McpAsked,
  type McpConnection,
  type McpOutput,
  type McpToolInfo,
} from '@palimpsest/core/ports'
import packageJson from '../../../package.json' with { type: 'json' }
import { createHeldCalls } from './held-calls.ts'
import { listTools } from './list-tools.ts'
import { askedBy, type RetryParams, repliedTo } from './retried-call.ts'
import { toOutput } from './to-output.ts'

type Sdk = typeof import('@modelcontextprotocol/client')

/** Milliseconds in which a server has to say which revision of the protocol it speaks, before the older way is tried. */
const PROBE_MS = 15_000
/** Requests of one call that a server answers with nothing but that it be made again. */
const MAX_ATTEMPTS = 5
/** Longer than anything that ends a request of ours: limits of time are signals. */
const NO_TIMEOUT = 86_400_000

/** The end of a call, or what the server asks before it. */
type Answered = { result: CallToolResult } | McpAsked

export type OpenedTransport = {
  transport: Transport
  /** Whether requests have headers. */
  headers: boolean
  /** Why the transport has ended; null while it has not. */
  reason(): string | null
  /** True for a failure of a call after which the connection is no longer used. */
  isLost(error: unknown): boolean
  /** What a failure means; null where its own message says it. */
  explain(error: unknown): Promise<string | null>
  end(): Promise<void>
}

export type ClientSettings = {
  sdk: Sdk
  /** Removes the secrets of the configuration. */
  redact(text: string): string
}

/** Connects over a transport, which is ended when that fails. */
export async function openClient(
  opened: OpenedTransport,
  prior: PriorDiscovery | null,
  signal: AbortSignal,
  { sdk, redact }: ClientSettings,
): Promise<McpConnection & { era: 'legacy' | 'modern' | null }> {
  const { transport } = opened
  const changed = new Set<() => void>()
  const client: Client = new sdk.Client(
    { name: 'palimpsest', version: packageJson.version },
    {
      capabilities: { elicitation: { form: {} } },
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
  const explain = async (error: unknown) => {
    const message = opened.reason() ?? (await opened.explain(error)) ?? messageOf(error, sdk)
    return new Error(redact(message), { cause: error })
  }

  const held = createHeldCalls<Answered>()
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') return { action: 'decline' }
    const reply = await held.ask({ message: params.message, schema: params.requestedSchema })
    return { ...reply }
  })

  /** Makes a call, again after a server has asked by an answer, or goes on with one that a server keeps open. */
  async function callOrResume(
    tool: McpToolInfo,
    args: object,
    within: AbortSignal,
    resumed: Parameters<McpConnection['call']>[3],
  ): Promise<Answered> {
    const token = resumed === undefined ? null : tokenOf(resumed.state)
    if (resumed !== undefined && token !== null) return await held.resume(token, resumed.reply, within)
    const retried: McpAsked | Partial<RetryParams> | null =
      resumed === undefined ? {} : repliedTo(resumed.state, resumed.reply)
    if (retried === null) throw new Error('What the server asked is not known any more.')
    if ('elicitation' in retried) return retried
    return await held.run((signal) => request(tool, args, retried, signal), within)
  }

  async function request(
    { name, inputSchema }: McpToolInfo,
    args: object,
    first: Partial<RetryParams>,
    within: AbortSignal,
  ): Promise<Answered> {
    // Without a schema of results: to compile a server's schema is work that the server could choose.
    const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } }
    const options = { signal: within, timeout: NO_TIMEOUT, toolDefinition, allowInputRequired: true }
    let params = first
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const called = { name, arguments: { ...args }, ...params }
      const result: CallToolResult | InputRequiredResult = await client.callTool(called, options)
      if (!sdk.isInputRequiredResult(result)) return { result }
      const asked = askedBy(result)
      if ('elicitation' in asked) return asked
      params = asked
    }
    throw new Error('The server asked to make the call again, again and again.')
  }

  async function end(): Promise<void> {
    await client.close().catch(() => undefined)
    await opened.end()
  }

  try {
    // While it finds out the revision the client does not watch the signal.
    await untilAborted(client.connect(transport, { ...options, ...(prior !== null && { prior }) }), signal)
  } catch (error) {
    const failure = await explain(error)
    await end()
    throw failure
  }
  return {
    era: client.getProtocolEra() ?? null,
    closed,
    onToolsChanged: (listener) => changed.add(listener),
    close: end,
    async tools(within) {
      const headers = opened.headers && client.getProtocolEra() === 'modern'
      try {
        return await listTools(client, headers, { signal: within, timeout: NO_TIMEOUT })
      } catch (error) {
        throw await explain(error)
      }
    },
    abandon(state) {
      const token = tokenOf(state)
      if (token !== null) held.abandon(token)
    },
    async call(tool, args, within, resumed): Promise<McpOutput | McpAsked> {
      try {
        const answered = await callOrResume(tool, args, within, resumed)
        return 'elicitation' in answered ? answered : bounded(toOutput(answered.result))
      } catch (error) {
        const failure = await explain(error)
        if (!within.aborted && opened.isLost(error)) lose(failure.message)
        throw failure
      }
    },
  }
}

/** The head of a long text, beside all of it. */
function bounded(output: ReturnType<typeof toOutput>): McpOutput {
  const { text, isError } = output
  const limit = isError ? MCP_LIMITS.error : MCP_LIMITS.output
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return { ...output, whole: null }
  // A character that is cut in two is left out.
  const head = new TextDecoder().decode(bytes.subarray(0, limit), { stream: true })
  return { ...output, text: head, whole: bytes }
}

/** Names a call that the server keeps open; null for one that is made again. */
function tokenOf(state: Json): string | null {
  const token = isObject(state) && state['type'] === 'held' ? state['token'] : null
  return typeof token === 'string' ? token : null
}

function messageOf(error: unknown, { SdkError, SdkErrorCode }: Sdk): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return 'The server answered with what is no result of this request.'
  return (error instanceof Error ? error.message : String(error)).slice(0, MCP_LIMITS.error).toWellFormed()
}
