import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from '../processes/child.ts'
import { createBareTarget } from './bare-target.ts'
import { createOurTarget, type OurTarget } from './our-target.ts'
import { startPeer } from './peer-target.ts'
import { createStrangerTarget } from './stranger-target.ts'
import type { Target } from './target.ts'

/**
 * Both targets with the same provider, each in a process of its own; `stranger` is a second client of ours,
 * `peer` another product where one is installed.
 */
export type Lab = AsyncDisposable & { bare: Target; ours: OurTarget; stranger: Target; peer: Target | null }

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const PROVIDER = program('../processes/provider.ts')
const BARE = program('../processes/bare-server.ts')
export const OURS = program('../../../apps/server/dist/main.js')

const WORKSPACE_FILES = 20

/**
 * Starts provider, reference and server. `database` is a file to serve, by default a new one. The peer is started when
 * asked for.
 */
export async function openLab({
  database,
  withPeer = false,
}: {
  database?: string
  withPeer?: boolean
} = {}): Promise<Lab> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const provider = opening.use(await startChild(PROVIDER))
  const bare = opening.use(createBareTarget(await startChild(BARE, [provider.url])))
  const server = await startServer(folder, provider.url, database)
  const ours = opening.use(createOurTarget(server))
  const peer = withPeer ? await startPeer(folder, provider.url) : null
  if (peer !== null) opening.use(peer)
  const opened = opening.move()
  return {
    bare,
    ours,
    peer,
    stranger: createStrangerTarget(server),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Our server with a provider; `folder` is for its files. Without pages, unless `environment` enables them. */
export async function startServer(
  folder: string,
  baseURL: string,
  database?: string,
  environment: Record<string, string> = {},
): Promise<Child> {
  // The flags of the start command.
  const flags = { NODE_OPTIONS: '--max-semi-space-size=8' }
  const settings = await serverSettings(folder, baseURL, database)
  return await startChild(OURS, [], { ...settings, ...flags, ...environment })
}

/** Variables that make our server serve `database`, or a new one in `folder`, on a free port and without pages. */
export async function serverSettings(
  folder: string,
  baseURL: string,
  database = join(folder, 'bench.db'),
): Promise<Record<string, string>> {
  const config = join(folder, 'palimpsest.config.json')
  const lab = { kind: 'openai-compatible', baseURL, models: { m1: { contextLimit: 8_000_000 } } }
  await writeFile(config, JSON.stringify({ providers: { lab } }))
  return {
    PORT: '0',
    PALIMPSEST_WORKSPACE: await makeWorkspace(folder),
    DATABASE_URL: `file:${database}`,
    PALIMPSEST_CONFIG: config,
    PALIMPSEST_WEB: 'off',
    PALIMPSEST_DISCOVER: 'off',
    PALIMPSEST_RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  }
}

/** A repository of a few files: the server reads its git status for every message, which takes time. */
async function makeWorkspace(folder: string): Promise<string> {
  const workspace = join(folder, 'workspace')
  await mkdir(workspace, { recursive: true })
  for (let index = 0; index < WORKSPACE_FILES; index++) await writeFile(join(workspace, `${index}.txt`), '')
  // Without git there is no status to read.
  spawnSync('git', ['init', '--quiet'], { cwd: workspace })
  return workspace
}
