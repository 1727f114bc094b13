import type { Server as HttpServer } from 'node:http'
import { type Core, type CorePorts, type CoreSettings, createCore } from '@palimpsest/core'
import type { SandboxInfo } from '@palimpsest/core/ports'
import { createHttpServer } from './http.ts'
import { SERVER_LIMITS } from './limits.ts'
import { closeHttp, listen, portOf } from './listen.ts'
import { createMcpCallback } from './mcp-callback.ts'
import { createMetrics } from './observe/metrics.ts'
import { createRestHandler } from './rest/rest-handler.ts'
import { type AuthGateSettings, createAuthGate } from './security/auth-gate.ts'
import { addressFor } from './security/host-check.ts'
import { describeSystem } from './system-info.ts'
import { createTrpc } from './transport/create-trpc.ts'
import { createWebPages, type WebMode, type WebPages } from './web.ts'

export type ServerSettings = AuthGateSettings & {
  /** 0 for any free port. */
  port: number
  web: WebMode
  /** Set by tests; `SERVER_LIMITS.readerStallMs` otherwise. */
  readerStallMs?: number
}

export interface Server extends AsyncDisposable {
  /** The address to open. */
  readonly url: string
  readonly port: number
  readonly activeRuns: number
  /**
   * Accepts no more runs, lets those in progress finish within `graceMs`, stops the rest, closes every connection, and
   * closes all resources, last opened first. Another call can only shorten the time of runs.
   */
  shutdown(graceMs: number): Promise<void>
}

/** Starts a server that accepts requests once this resolves. It owns the ports' store, and closes it even when the start fails. */
export async function openServer(
  ports: CorePorts,
  coreSettings: CoreSettings,
  settings: ServerSettings,
): Promise<Server> {
  await using opening = new AsyncDisposableStack()
  opening.use(ports.store)
  const authGate = createAuthGate(settings)
  const core = createCore(ports, coreSettings)
  await core.recover()

  const startedAt = ports.clock.now()
  const { logger, events } = ports
  const facts = hostFacts(ports)
  const trpc = createTrpc({
    sessions: core.sessions,
    systemInfo: () =>
      describeSystem({ startedAt, activeRuns: core.activeRuns, sandbox: sandboxOf(ports), ...facts }),
    admit: authGate.guard.admit,
    isOwnAddress: authGate.isOwnAddress,
    logger,
    readerStallMs: settings.readerStallMs ?? SERVER_LIMITS.readerStallMs,
  })
  const rest = createRestHandler(core)
  const gauges = { activeRuns: () => core.activeRuns, sockets: () => trpc.sockets.size }
  const metrics = opening.use(createMetrics(events, gauges))
  const web = opening.use(createWebPages(settings.web))
  const state = { stopping: false }
  const unready = () => whyUnready(state, ports, web)
  const mcpCallback = createMcpCallback((params) => core.sessions.mcp.finishSignIn(params))
  const http = createHttpServer({ ...authGate, ...trpc, mcpCallback, rest, web, metrics, logger, unready })

  await listen(http, settings)
  await core.continueQueues().catch((error: unknown) => {
    logger.error({ err: error }, 'The queues that the last stop left could not be continued')
  })
  core.startBinSweep()
  web.open().catch((error: unknown) => logger.error({ err: error }, 'The pages could not be opened'))
  return running({ http, core, opened: opening.move(), state, sockets: trpc.sockets, host: settings.host })
}

/** What does not change while the host runs. */
function hostFacts({ snapshots, workspaces, mcp, webSearch }: CorePorts) {
  const { folders, defaultFolder, demo } = workspaces
  return {
    snapshots: snapshots !== undefined,
    workspaces: [...folders],
    defaultWorkspace: defaultFolder,
    demoWorkspace: defaultFolder === null ? (demo?.root ?? null) : null,
    asksWithoutFolder: (mcp?.servers.length ?? 0) > 0 || webSearch !== undefined,
  }
}

/** What keeps commands from the rest of the machine. */
function sandboxOf({ sandbox, processes }: CorePorts): SandboxInfo {
  if (sandbox === undefined || processes === undefined)
    return { kind: 'none', reason: 'This server runs no commands.' }
  return sandbox.info
}

async function whyUnready(
  state: { stopping: boolean },
  { store }: CorePorts,
  web: WebPages,
): Promise<string | null> {
  if (state.stopping) return 'stopping'
  // Any read shows that the store answers; this one reads a single index entry.
  await store.sessions.get('readyz')
  return web.ready ? null : 'preparing pages'
}

type Parts = {
  http: HttpServer
  core: Core
  opened: AsyncDisposableStack
  state: { stopping: boolean }
  sockets: { close(): void }
  host: string
}

function running({ http, core, opened, state, sockets, host }: Parts): Server {
  const port = portOf(http)
  let closed: Promise<void> | null = null

  async function shutdown(graceMs: number): Promise<void> {
    state.stopping = true
    await core.shutdown(graceMs)
    sockets.close()
    await closeHttp(http)
    await opened.disposeAsync()
  }

  const close = (graceMs: number): Promise<void> => {
    if (closed === null) closed = shutdown(graceMs)
    else core.shutdown(graceMs).catch(() => undefined)
    return closed
  }

  return {
    url: addressFor(host, port),
    port,
    get activeRuns() {
      return core.activeRuns
    },
    shutdown: close,
    [Symbol.asyncDispose]: () => close(0),
  }
}
