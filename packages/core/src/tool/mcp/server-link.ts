import { untilAborted } from '../../domain/async/until-aborted.ts'
import { AppError } from '../../domain/errors.ts'
import type { Json } from '../../domain/json/json.ts'
import type { McpState } from '../../domain/settings/mcp.ts'
import type {
  Clock,
  Logger,
  McpConnection,
  McpServerInfo,
  McpServers,
  McpToolList,
} from '../../ports/index.ts'
import { plainLine } from './plain-line.ts'

/** Milliseconds before the next attempt to connect, by the number of failures in a row; the last one counts for all further ones. */
const BACKOFF_MS = [1_000, 2_000, 5_000, 15_000, 60_000] as const
/** Milliseconds that an attempt may take: a package runner may download the server first. */
const CONNECT_MS = 60_000
/** Milliseconds for which a connection has to last before its end counts as the first failure. */
const STEADY_MS = 60_000
/** Milliseconds that a list of tools may take, and between two of them when the server reports changes. */
const LIST_MS = 30_000
const RELIST_MS = 1_000
/** Characters of the reason of a failure. */
const REASON = 500

/** The connection to one server: made when it is first needed, and again after it was lost. */
export interface ServerLink {
  readonly info: McpServerInfo
  readonly state: McpState
  /** The tools of the last list that the server gave in this connection. */
  readonly list: McpToolList
  /** Connects, unless that was done before. */
  start(): void
  /** Monotonic milliseconds at which the first attempt began that has not ended; null when none is on. */
  readonly firstAttemptSince: number | null
  /** Resolves once the attempt that is on has ended. */
  readonly attempted: Promise<void>
  /** Ends the connection or the attempt, and connects at once. */
  reconnect(): void
  /** Fails with an `AppError` when the server is not connected, and with its own error when the connection is lost meanwhile. */
  call(...call: Parameters<McpConnection['call']>): ReturnType<McpConnection['call']>
  /** Ends a call that has asked a person and gets no reply. */
  abandon(state: Json): void
  /** Ends the connection for ever. Resolves once the server is gone. */
  end(): Promise<void>
}

type Phase = {
  state: McpState
  connection: McpConnection | null
  list: McpToolList
  since: number
  attempted: Promise<void>
  /** Aborts with the reason once this phase is over. */
  over: AbortController
}

export function createServerLink(
  info: McpServerInfo,
  { mcp, clock, logger }: { mcp: McpServers; clock: Clock; logger: Logger },
): ServerLink {
  const { name } = info
  let failures = 0
  let ended = false
  let retry: Disposable | null = null
  const closing = new Set<Promise<void>>()
  let phase: Phase = phaseOf({ type: 'off' })

  function phaseOf(state: McpState): Phase {
    return {
      state,
      connection: null,
      list: { tools: [], leftOut: 0, refused: [] },
      since: clock.elapsed(),
      attempted: Promise.resolve(),
      over: new AbortController(),
    }
  }

  function close(connection: McpConnection): void {
    const closed = connection
      .close()
      .catch((error: unknown) => logger.warn({ error, server: name }, 'An MCP server could not be ended'))
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /** Ends the phase with what belongs to it. */
  function leave(reason: Error): void {
    retry?.[Symbol.dispose]()
    retry = null
    phase.over.abort(reason)
    if (phase.connection !== null) close(phase.connection)
  }

  function connect(): void {
    if (ended) return
    leave(new Error('Another attempt has begun.'))
    const mine = phaseOf({ type: 'connecting' })
    phase = mine
    mine.attempted = attempt(mine)
  }

  async function attempt(mine: Phase): Promise<void> {
    const { signal } = mine.over
    using _timer = clock.after(CONNECT_MS, () =>
      mine.over.abort(new Error(`The server was not ready within ${CONNECT_MS / 1_000} s.`)),
    )
    try {
      const connecting = mcp.connect(name, signal)
      // One that is ready too late is ended.
      connecting.then((late) => signal.aborted && close(late)).catch(() => undefined)
      const connection = await untilAborted(connecting, signal)
      mine.connection = connection
      mine.list = await untilAborted(connection.tools(signal), signal)
      if (phase !== mine) return
      mine.state = { type: 'ready' }
      mine.since = clock.elapsed()
      connection.onToolsChanged(createRelist(mine, connection))
      void connection.closed.then((reason) => fail(mine, reason))
    } catch (error) {
      fail(mine, error instanceof Error ? error.message : String(error))
    }
  }

  function fail(mine: Phase, why: string): void {
    if (phase !== mine || ended) return
    if (mine.state.type === 'ready' && clock.elapsed() - mine.since >= STEADY_MS) failures = 0
    const waitMs = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0
    failures += 1
    const reason = plainLine(why, REASON) || 'The connection was lost.'
    logger.warn({ server: name, reason, waitMs }, 'An MCP server is not connected')
    leave(new Error(reason))
    phase = phaseOf({ type: 'failed', reason, retryAt: clock.now() + waitMs })
    retry = clock.after(waitMs, connect)
  }

  /** Reads the list again, one reading at a time: a server may report changes without end. */
  function createRelist(mine: Phase, connection: McpConnection): () => void {
    let reading = false
    let again = false
    const { signal } = mine.over

    async function relist(): Promise<void> {
      reading = true
      do {
        again = false
        await clock.sleep(RELIST_MS, signal)
        const timeout = new AbortController()
        using _timer = clock.after(LIST_MS, () =>
          timeout.abort(new Error('The list of tools took too long.')),
        )
        const within = AbortSignal.any([signal, timeout.signal])
        mine.list = await untilAborted(connection.tools(within), within)
      } while (again)
    }

    return () => {
      again = true
      if (reading) return
      relist()
        .catch((error: unknown) => {
          if (!signal.aborted)
            logger.warn({ error, server: name }, 'The tools of an MCP server could not be read again')
        })
        .finally(() => {
          reading = false
        })
    }
  }

  return {
    info,
    get state() {
      return phase.state
    },
    get list() {
      return phase.list
    },
    get firstAttemptSince() {
      return phase.state.type === 'connecting' && failures === 0 ? phase.since : null
    },
    get attempted() {
      return phase.attempted
    },
    start() {
      if (phase.state.type === 'off') connect()
    },
    reconnect() {
      failures = 0
      connect()
    },
    async call(tool, args, signal, resumed) {
      const { state, connection, over } = phase
      if (state.type !== 'ready' || connection === null) throw notConnected(name, state)
      const within = AbortSignal.any([signal, over.signal])
      return await untilAborted(connection.call(tool, args, within, resumed), within)
    },
    abandon: (state) => phase.connection?.abandon(state),
    async end() {
      ended = true
      leave(new Error('The server stops.'))
      phase = phaseOf({ type: 'off' })
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}

function notConnected(name: string, state: McpState): AppError {
  const why = state.type === 'failed' ? ` ${state.reason}` : ''
  return new AppError('INVALID_INPUT', `The MCP server ${name} is not connected.${why}`)
}
