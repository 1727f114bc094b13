import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type CorePorts,
  type CoreSettings,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  systemClock,
} from '@palimpsest/core'
import type { Clock, DemoFolder, Models, Snapshots, Workspaces } from '@palimpsest/core/ports'
import {
  createModels,
  createProviders,
  type ProviderSources,
  type SecretRef,
} from '@palimpsest/core/providers'
import { createFileBlobs, openStore } from '@palimpsest/db'
import type { Logger } from 'pino'
import { createBwrapSandbox } from './adapters/bash/bwrap-sandbox.ts'
import { createProcesses } from './adapters/bash/processes.ts'
import { createWritingCommands, type WritingCommands } from './adapters/bash/writing-commands.ts'
import { openDemoFolder } from './adapters/demo/demo-folder.ts'
import { openDemoModels } from './adapters/demo/demo-model.ts'
import { createWorkspaceFiles } from './adapters/files/workspace-files.ts'
import { createGitSnapshots } from './adapters/git-snapshots/git-snapshots.ts'
import { canWrite, isCheckout, keepsFiles } from './adapters/git-snapshots/keeps-files.ts'
import { createGitStatus } from './adapters/git-status/git-status.ts'
import { createHooks } from './adapters/hooks/create-hooks.ts'
import { openEnteredServers } from './adapters/mcp/entered-servers.ts'
import { createMcpServers } from './adapters/mcp/mcp-servers.ts'
import { createCredentials } from './adapters/mcp/sign-in/credentials.ts'
import { createPdfReader } from './adapters/pdf/pdf-reader.ts'
import { outsidePlaces } from './adapters/places/outside-places.ts'
import {
  openProtectedPlaces,
  type ProtectedPlaces,
  type ServerFiles,
} from './adapters/places/protected-places.ts'
import { openSourceFolders } from './adapters/source-folders.ts'
import { createVault, type VaultKey } from './adapters/vault/vault.ts'
import { createWebPages } from './adapters/web/web-pages.ts'
import { createWebSearch } from './adapters/web/web-search.ts'
import { openWorkspaces } from './adapters/workspaces.ts'
import type { Config } from './config-file.ts'
import type { Env } from './env.ts'
import { SERVER_LIMITS } from './limits.ts'
import { mcpServersOf } from './mcp-config.ts'
import type { ServerSettings } from './open-server.ts'
import { searchSettings } from './search-settings.ts'
import { serverFiles } from './server-files.ts'
import { webModeOf } from './web.ts'

export type Container = { ports: CorePorts; coreSettings: CoreSettings; settings: ServerSettings }

export type ContainerSources = {
  env: Env
  config: Config
  logger: Logger
  /** The value of an environment variable that the configuration names. */
  readSecret(ref: SecretRef): string | undefined
  /** Removes these values from every line of the log from now on. */
  redactFromLogs(secrets: readonly string[]): void
}

/** Builds all parts of the server from its settings. The store is open afterwards. */
export async function openContainer(sources: ContainerSources): Promise<Container> {
  const { env, config, logger } = sources
  const clock = systemClock
  const own = serverFiles(env)
  const vault = createVault(vaultKeyOf(env, own))
  const demo = await openDemoFolder(own.demo)
  const allowed = await workspacesOf(sources, demo)
  const store = await openStore({
    url: env.DATABASE_URL,
    clock,
    ...(allowed.folders[0] !== undefined && { firstFolder: allowed.folders[0] }),
    report: (row) => logger.warn(row, 'A stored row cannot be read'),
  })
  const sourceFolders = await openSourceFolders({ own: env.PALIMPSEST_AGENT_FOLDER, skills: config.skills })
  const inUse = [...allowed.folders, demo.root, ...foldersOf(sourceFolders)]
  const places = await openProtectedPlaces(own, inUse)
  const linked = await places.fileWithOtherName()
  if (linked !== null)
    logger.warn(
      { file: linked },
      'A file of the server has a second name, a hard link: commands can read it there',
    )
  const workspaces = outsidePlaces(allowed, places)
  const writing = createWritingCommands(own.running)
  const pdf = createPdfReader()
  const { tokenCharacters } = SERVER_LIMITS
  if (env.PALIMPSEST_TOKEN !== undefined && env.PALIMPSEST_TOKEN.length < tokenCharacters)
    logger.warn({ tokenCharacters }, 'PALIMPSEST_TOKEN is short enough to be guessed: take a longer one')
  return {
    ports: {
      clock,
      logger,
      models: modelsOf(sources, clock),
      providers: createProviders({
        ...providerSources(sources),
        clock,
        redactFromLogs: sources.redactFromLogs,
      }),
      vault,
      blobs: createFileBlobs(own.database, clock),
      live: createMemoryLiveStreams({ clock }),
      events: createMemorySessionEvents({ logger }),
      files: createWorkspaceFiles(places, writing.isMade),
      workspaces,
      ...commandsWithout(places, own, clock, writing),
      ...(await mcpOf(sources, own, clock, { store, vault })),
      pdf,
      web: createWebPages(pdf, sources.config.web),
      ...webSearchOf(sources),
      ...(config.snapshots !== false && { snapshots: snapshotsWithout(places, own, config) }),
      random: Math.random,
      hooks: await createHooks(config.hooks, { folder: dirname(own.config), logger }),
      store,
    },
    coreSettings: {
      platform: `${process.platform} ${process.arch}`,
      gitStatus: createGitStatus({ clock, without: places.paths }),
      budget: config.budget,
      compaction: config.compaction,
      projectRules: config.permissions.map((rule) => ({ ...rule, source: 'project' })),
      agent: agentOf(config),
      sources: sourceFolders,
    },
    settings: {
      host: env.HOST,
      port: env.PORT,
      token: env.PALIMPSEST_TOKEN,
      allowedHosts: env.PALIMPSEST_ALLOWED_HOSTS,
      requestsPerMinute: env.PALIMPSEST_RATE_LIMIT,
      web: webModeOf(env),
    },
  }
}

function foldersOf({ own, bundled, skills }: NonNullable<CoreSettings['sources']>): string[] {
  return [own, bundled, ...skills].filter((folder) => folder !== null)
}

/** The search of the web, where one is configured. */
function webSearchOf({ config, env, readSecret, redactFromLogs }: ContainerSources) {
  const search = searchSettings(config.web, env, readSecret)
  if (search === null) return {}
  if (search.apiKey !== '') redactFromLogs([search.apiKey])
  return { webSearch: createWebSearch(search) }
}

/**
 * The folder where the server starts, or the one set in its place, and those of the configuration. Chats that name no folder work
 * only in one that was set for them.
 */
function workspacesOf({ env, config }: ContainerSources, demo: DemoFolder): Promise<Workspaces> {
  const own = env.PALIMPSEST_WORKSPACE
  const first =
    own === undefined ? { path: process.cwd(), field: null } : { path: own, field: 'PALIMPSEST_WORKSPACE' }
  const more = config.workspaces.map((path, index) => ({ path, field: `workspaces.${index}` }))
  return openWorkspaces([first, ...more], { hasDefault: own !== undefined, demo })
}

/** The protected places may be inside the workspace; they are not part of it. */
function snapshotsWithout(
  places: ProtectedPlaces,
  { snapshots: folder }: ServerFiles,
  { snapshots, permissions }: Config,
): Snapshots {
  const writable = canWrite(permissions)
  return createGitSnapshots({
    folder,
    places,
    covers: async (root) =>
      keepsFiles({ configured: snapshots, isCheckout: await isCheckout(root), canWrite: writable }),
  })
}

/** Commands read none of the protected places, outputs of other chats among them. */
function commandsWithout(
  places: ProtectedPlaces,
  own: ServerFiles,
  clock: Clock,
  writing: WritingCommands,
): Required<Pick<CorePorts, 'processes' | 'sandbox'>> {
  const outputs = join(own.outputs, 'commands')
  const settings = [...new Set([own.config, own.startConfig])]
  const sandbox = createBwrapSandbox(
    { home: homedir(), hidden: places.paths, readable: [], settings },
    writing,
  )
  const guard = { places, isBoxed: () => sandbox.info.kind !== 'none' }
  return { processes: createProcesses({ clock, outputs, owner: own.database, guard, writing }), sandbox }
}

async function mcpOf(
  sources: ContainerSources,
  own: ServerFiles,
  clock: Clock,
  { store: { settings }, vault }: Pick<CorePorts, 'store' | 'vault'>,
): Promise<Pick<CorePorts, 'mcp'>> {
  const { redactFromLogs } = sources
  const credentials = createCredentials({ settings, vault, clock })
  const host = { clock, owner: own.database, credentials, redactFromLogs }
  const configured = createMcpServers({ ...host, servers: mcpServersOf(sources.config.mcpServers, sources) })
  return { mcp: await openEnteredServers(configured, { ...host, settings, vault }) }
}

function agentOf({ agents: { assistant } }: Config): NonNullable<CoreSettings['agent']> {
  const { maxSteps, compaction, budget } = assistant ?? {}
  return {
    ...(maxSteps !== undefined && { maxSteps }),
    ...(compaction && { compaction }),
    ...(budget && { budget }),
  }
}

/** The key of the environment, or a file beside the database. */
function vaultKeyOf({ PALIMPSEST_SECRET_KEY: bytes }: Env, { key: file }: ServerFiles): VaultKey {
  return bytes === undefined ? { file } : { bytes }
}

function modelsOf(sources: ContainerSources, clock: Clock): Models {
  const { env, config, logger, readSecret } = sources
  for (const [providerId, { apiKey }] of Object.entries(config.providers)) {
    if (apiKey !== undefined && !readSecret(apiKey)) {
      logger.warn({ providerId, variable: apiKey.env }, 'A provider is left out: its key is not set')
    }
  }
  return createModels({
    ...providerSources(sources),
    clock,
    builtIn: openDemoModels(fasterClock(clock, env.PALIMPSEST_DEMO_SPEED)),
    discover: env.PALIMPSEST_DISCOVER,
  })
}

function providerSources({ env, config, readSecret }: ContainerSources): ProviderSources {
  return {
    config: config.providers,
    env: {
      openaiApiKey: env.OPENAI_API_KEY,
      openaiBaseUrl: env.OPENAI_BASE_URL,
      anthropicApiKey: env.ANTHROPIC_API_KEY,
      anthropicBaseUrl: env.ANTHROPIC_BASE_URL,
      googleApiKey: env.GOOGLE_GENERATIVE_AI_API_KEY,
    },
    resolveSecret: readSecret,
  }
}

/** The demo model types at a reader's pace; tests set a higher one. */
function fasterClock(clock: Clock, speed: number): Clock {
  return { ...clock, sleep: (ms, signal) => clock.sleep(ms / speed, signal) }
}
