import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  type CorePorts,
  type CoreSettings,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  systemClock,
} from '@palimpsest/core'
import type { Clock, Models, Snapshots, Workspaces } from '@palimpsest/core/ports'
import {
  createModels,
  createProviders,
  type ProviderSources,
  type SecretRef,
} from '@palimpsest/core/providers'
import { createFileBlobs, databasePath, openStore } from '@palimpsest/db'
import type { Logger } from 'pino'
import { createBwrapSandbox } from './adapters/bash/bwrap-sandbox.ts'
import { createProcesses } from './adapters/bash/processes.ts'
import { workspaceFiles } from './adapters/files/workspace-files.ts'
import { createGitSnapshots } from './adapters/git-snapshots/git-snapshots.ts'
import { canWrite, isCheckout, keepsFiles } from './adapters/git-snapshots/keeps-files.ts'
import { createGitStatus } from './adapters/git-status/git-status.ts'
import { createHooks } from './adapters/hooks/create-hooks.ts'
import { createMcpServers } from './adapters/mcp/mcp-servers.ts'
import { type Credentials, createCredentials } from './adapters/mcp/sign-in/credentials.ts'
import { createPdfReader } from './adapters/pdf/pdf-reader.ts'
import { openSourceFolders } from './adapters/source-folders.ts'
import { createVault, type VaultKey } from './adapters/vault/vault.ts'
import { createWebPages } from './adapters/web/web-pages.ts'
import { createWebSearch } from './adapters/web/web-search.ts'
import { openWorkspaces } from './adapters/workspaces.ts'
import { CONFIG_FILE, type Config } from './config-file.ts'
import type { Env } from './env.ts'
import { SERVER_LIMITS } from './limits.ts'
import { mcpServersOf } from './mcp-config.ts'
import type { ServerSettings } from './open-server.ts'
import { searchSettings } from './search-settings.ts'
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
  const vault = createVault(vaultKeyOf(env))
  const store = await openStore({
    url: env.DATABASE_URL,
    clock,
    report: (row) => logger.warn(row, 'A stored row cannot be read'),
  })
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
      blobs: createFileBlobs(databasePath(env.DATABASE_URL), clock),
      live: createMemoryLiveStreams({ clock }),
      events: createMemorySessionEvents({ logger }),
      files: workspaceFiles,
      workspaces: await workspacesOf(sources),
      ...commandsBeside(env, clock),
      ...mcpOf(sources, clock, createCredentials({ settings: store.settings, vault, clock })),
      pdf,
      web: createWebPages(pdf, sources.config.web),
      ...webSearchOf(sources),
      ...(config.snapshots !== false && { snapshots: snapshotsBeside(env, config) }),
      random: Math.random,
      hooks: await createHooks(config.hooks, { folder: configFolder(env), logger }),
      store,
    },
    coreSettings: {
      platform: `${process.platform} ${process.arch}`,
      gitStatus: createGitStatus({ clock }),
      budget: config.budget,
      compaction: config.compaction,
      projectRules: config.permissions.map((rule) => ({ ...rule, source: 'project' })),
      agent: agentOf(config),
      sources: await openSourceFolders({ own: env.PALIMPSEST_AGENT_FOLDER, skills: config.skills }),
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

/** The search of the web, where one is configured. */
function webSearchOf({ config, env, readSecret, redactFromLogs }: ContainerSources) {
  const search = searchSettings(config.web, env, readSecret)
  if (search === null) return {}
  if (search.apiKey !== '') redactFromLogs([search.apiKey])
  return { webSearch: createWebSearch(search) }
}

/** The folder where the server starts, or the one set in its place, and those of the configuration. */
function workspacesOf({ env, config }: ContainerSources): Promise<Workspaces> {
  const own = env.PALIMPSEST_WORKSPACE
  const first =
    own === undefined ? { path: process.cwd(), field: null } : { path: own, field: 'PALIMPSEST_WORKSPACE' }
  const more = config.workspaces.map((path, index) => ({ path, field: `workspaces.${index}` }))
  return openWorkspaces([first, ...more])
}

/** The database may be inside the workspace; it is not part of it. */
function snapshotsBeside({ DATABASE_URL }: Env, { snapshots, permissions }: Config): Snapshots {
  const path = databasePath(DATABASE_URL)
  const writable = canWrite(permissions)
  return createGitSnapshots({
    folder: join(dirname(path), 'snapshots'),
    keepOut: [path],
    covers: async (root) =>
      keepsFiles({ configured: snapshots, isCheckout: await isCheckout(root), canWrite: writable }),
  })
}

/** Commands do not read the database and what is beside it, but for the outputs of earlier commands. */
function commandsBeside(
  { DATABASE_URL, PALIMPSEST_CONFIG }: Env,
  clock: Clock,
): Required<Pick<CorePorts, 'processes' | 'sandbox'>> {
  const database = resolve(databasePath(DATABASE_URL))
  const data = dirname(database)
  const outputs = join(data, 'outputs')
  const files = ['', '-wal', '-shm', '-journal'].map((ending) => `${database}${ending}`)
  return {
    processes: createProcesses({ clock, outputs: join(outputs, 'commands'), owner: database }),
    sandbox: createBwrapSandbox({
      home: homedir(),
      hidden: [...files, resolve(PALIMPSEST_CONFIG ?? CONFIG_FILE), data],
      readable: [outputs],
    }),
  }
}

/** Paths of hooks are relative to the file that names them. */
function configFolder({ PALIMPSEST_CONFIG }: Env): string {
  return dirname(resolve(PALIMPSEST_CONFIG ?? CONFIG_FILE))
}

function mcpOf(sources: ContainerSources, clock: Clock, credentials: Credentials): Pick<CorePorts, 'mcp'> {
  const { redactFromLogs } = sources
  const servers = mcpServersOf(sources.config.mcpServers, sources)
  if (servers.length === 0) return {}
  const database = resolve(databasePath(sources.env.DATABASE_URL))
  return { mcp: createMcpServers({ servers, clock, owner: database, credentials, redactFromLogs }) }
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
function vaultKeyOf({ PALIMPSEST_SECRET_KEY: bytes, DATABASE_URL }: Env): VaultKey {
  return bytes === undefined
    ? { file: join(dirname(databasePath(DATABASE_URL)), 'palimpsest.key') }
    : { bytes }
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
    clock: fasterClock(clock, env.PALIMPSEST_DEMO_SPEED),
    demo: true,
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
