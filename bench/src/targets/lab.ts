import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Child, type CountedChild, startChild, startCounted } from '../processes/child.ts'
import { createBareTarget } from './bare-target.ts'
import { createOurTarget, type OurTarget } from './our-target.ts'
import { startPeer } from './peer-target.ts'
import { createStrangerTarget } from './stranger-target.ts'
import type { Target } from './target.ts'

/** The programs that a third party's client calls: ours, another checkout of ours, and another product where one is installed. */
export type Strangers = { bare: Target; former: Target | null; stranger: Target; peer: Target | null }

/** Both targets with the same provider, each in a process of its own; `stranger` is a second client of ours. */
export type Lab = AsyncDisposable & Strangers & { ours: OurTarget }

export type LabOptions = {
  /** A file to serve; by default a new one. */
  database?: string
  /** Whether the peer and the former server are started too. */
  withOthers?: boolean
  /** The root of another checkout, with its packages installed. */
  former?: string | null
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const PROVIDER = program('../processes/provider.ts')
export const BARE = program('../processes/bare-server.ts')
const BUILT = 'apps/server/dist/main.mjs'
export const OURS = program(`../../../${BUILT}`)

const WORKSPACE_FILES = 20

/** Starts provider, reference and server. */
export async function openLab({
  database,
  withOthers = false,
  former = null,
}: LabOptions = {}): Promise<Lab> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const provider = opening.use(await startChild(PROVIDER))
  const bare = opening.use(createBareTarget(await startChild(BARE, [provider.url])))
  const server = await startServer(folder, provider.url, { database })
  const ours = opening.use(createOurTarget(server))
  const others: Pick<Lab, 'former' | 'peer'> = { former: null, peer: null }
  if (withOthers) {
    others.peer = opening.use(await startPeer(folder, provider.url))
    others.former = opening.use(former === null ? null : await startFormer(folder, provider.url, former))
  }
  const opened = opening.move()
  return {
    bare,
    ours,
    ...others,
    stranger: createStrangerTarget(server),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The server of another checkout, called as a third party's client calls ours. */
async function startFormer(folder: string, baseURL: string, root: string): Promise<Target> {
  const own = join(folder, 'former')
  await mkdir(own)
  return createStrangerTarget(await startServer(own, baseURL, { program: programOf(root) }), 'former')
}

/** The root of this checkout. */
export const ROOT = program('../../../')

/** The server of a checkout: what is built of it, or its sources where nothing is built. */
export function programOf(root: string): string {
  const built = join(root, BUILT)
  return existsSync(built) ? built : join(root, 'apps/server/src/main.ts')
}

/** The address of the package of SQLite that the server of a checkout loads. */
function sqliteOf(root: string): string {
  return pathToFileURL(createRequire(join(root, 'packages/db/package.json')).resolve('better-sqlite3')).href
}

/** The server of a checkout, which counts what it does. */
export async function startCountedServer(
  folder: string,
  baseURL: string,
  root: string,
): Promise<CountedChild> {
  return await startCounted(programOf(root), await serverSettings(folder, baseURL), sqliteOf(root))
}

type StartOptions = { database?: string | undefined; environment?: Record<string, string>; program?: string }

/** Our server with a provider; `folder` is for its files. Without pages, unless `environment` enables them. */
export async function startServer(
  folder: string,
  baseURL: string,
  { database, environment = {}, program = OURS }: StartOptions = {},
): Promise<Child> {
  // The flags of the start command.
  const flags = { NODE_OPTIONS: '--max-semi-space-size=8' }
  const settings = await serverSettings(folder, baseURL, database)
  return await startChild(program, [], { ...settings, ...flags, ...environment })
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
