import {
  type CorePorts,
  type CoreSettings,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  systemClock,
} from '@palimpsest/core'
import type { Store } from '@palimpsest/core/ports'
import { createProviders } from '@palimpsest/core/providers'
import { openStore } from '@palimpsest/db'
import {
  createLabModels,
  createMemoryBlobs,
  createMemoryStore,
  createMemoryVault,
  reply,
  type ScriptedProvider,
  silentLogger,
  startScriptedProvider,
} from '@palimpsest/testing'
import { openWorkspaces } from '../adapters/workspaces.ts'
import { openServer, type Server, type ServerSettings } from '../open-server.ts'
import { workspaceFiles } from './nothing-protected.ts'
import { temporaryDatabase } from './temporary-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type TestServerOptions = {
  /** Where conversations are kept: in memory (the default), in a temporary SQLite file, or in a store of one's own. */
  store?: 'memory' | 'sqlite' | Store
  ports?: Partial<Omit<CorePorts, 'store'>>
  coreSettings?: Partial<CoreSettings>
  settings?: Partial<ServerSettings>
  /** Folders that sessions may work in; an empty one by default. */
  workspaces?: readonly string[]
}

export type TestServer = Server & {
  /** Answers for model `m1` of provider `lab`, which every session starts with. */
  readonly provider: ScriptedProvider
  readonly ports: CorePorts
}

/** A whole server on a free port of 127.0.0.1, without pages and rate limit, whose model says what the test scripts. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  await using opened = new AsyncDisposableStack()
  const provider = opened.use(await startScriptedProvider())
  provider.intercept(({ body }) =>
    JSON.stringify(body).includes('Write a title') ? reply({ text: 'A title' }) : null,
  )
  const clock = options.ports?.clock ?? systemClock
  const workspaces = options.workspaces ?? [opened.use(await temporaryFolder('palimpsest-workspace-')).path]
  const ports: CorePorts = {
    blobs: createMemoryBlobs(clock),
    live: createMemoryLiveStreams({ clock }),
    events: createMemorySessionEvents({ logger: silentLogger }),
    models: createLabModels(provider.baseURL),
    providers: createProviders({
      config: {},
      env: {},
      resolveSecret: () => undefined,
      redactFromLogs: () => undefined,
      clock,
      fetch: fetchOnThisMachine,
    }),
    vault: createMemoryVault(),
    logger: silentLogger,
    files: workspaceFiles,
    workspaces: await openWorkspaces(workspaces.map((path) => ({ path, field: 'workspaces' }))),
    random: Math.random,
    clock,
    ...options.ports,
    store: await storeOf(options.store ?? 'memory', opened),
  }
  const server = await openServer(
    ports,
    {
      platform: 'test',
      gitStatus: () => Promise.resolve(null),
      ...options.coreSettings,
    },
    {
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      allowedHosts: [],
      requestsPerMinute: 0,
      web: 'off',
      ...options.settings,
    },
  )
  opened.use(server)
  const held = opened.move()
  return {
    provider,
    ports,
    url: server.url,
    port: server.port,
    get activeRuns() {
      return server.activeRuns
    },
    shutdown: (graceMs) => server.shutdown(graceMs),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** Entered providers of a test are on this machine: nothing is sent anywhere else. */
const fetchOnThisMachine: typeof fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname !== '127.0.0.1') throw new Error('A test reaches this machine only.')
  return await fetch(input, init)
}

async function storeOf(kind: 'memory' | 'sqlite' | Store, opened: AsyncDisposableStack): Promise<Store> {
  if (kind === 'memory') return await createMemoryStore()
  if (kind !== 'sqlite') return kind
  const { url } = opened.use(await temporaryDatabase())
  return await openStore({ url, clock: systemClock })
}
