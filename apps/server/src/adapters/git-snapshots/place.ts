import { createHash } from 'node:crypto'
import { access, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findRepository } from '../git/find-repository.ts'
import { type RunGit, runGit, runGitBytes } from '../git/run-git.ts'
import type { ProtectedPlaces } from '../places/protected-places.ts'

/** A workspace with the repository that keeps its states. */
export type Place = {
  readonly root: string
  /** Whether the workspace is still in the same repository, with the same ignore rules of its own. */
  isCurrent(): Promise<boolean>
  /** Calls git on our own repository and the workspace's files, with the index that follows them. */
  git(args: readonly string[], input?: string): Promise<string>
  /** The root's path from where ignore rules begin, ending in a slash; empty when that is the root itself. */
  readonly prefix: string
  /** The index that `git` uses. */
  readonly index: string
  /** Whether a path, relative to the root, is one that is never read nor written. */
  isKeptOut(path: string): boolean
  /** The bytes of a content. */
  catFile(id: string): Promise<Uint8Array>
}

export type PlaceOptions = {
  folder: string
  /** What is never read nor written. */
  places: ProtectedPlaces
  /** The path of the user's file of ignore rules for all repositories. */
  personal: Promise<string>
  run: RunGit
}

/** No attribute of the workspace changes a byte. */
const ATTRIBUTES = '* -text !eol !crlf !ident !filter !working-tree-encoding\n'

/**
 * The repository of a workspace (its real path), under `folder`; created on first use. Protected places are never read, nor is what
 * the workspace's ignore rules name.
 */
export async function openPlace(
  root: string,
  { folder, places, personal, run }: PlaceOptions,
): Promise<Place> {
  const gitDir = placeFolder(folder, root)
  await prepare(gitDir)
  const [seen, ignores] = await Promise.all([surroundings(root), personal])
  const { top, rules } = seen
  const exclude = rules === null ? '' : await readFile(rules.path, 'utf8').catch(() => '')
  const own = await Promise.all([folder, ...places.paths].map((path) => patternFor(top, path)))
  await writeFile(join(gitDir, 'info', 'exclude'), [exclude, ...own, ''].join('\n'))
  const below = relative(top, root)
  const prefix = below === '' ? '' : `${below.split(sep).join('/')}/`
  const index = join(gitDir, `index-${digest(prefix)}`)

  const env = {
    GIT_DIR: gitDir,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: index,
    ...settingOf('core.excludesFile', ignores),
  }

  return {
    root,
    prefix,
    index,
    isKeptOut: (path) => places.covers(join(root, path)),
    isCurrent: async () => isDeepStrictEqual(await surroundings(root), seen),
    git: (args, input) =>
      run(args, { cwd: root, env, timeoutMs: GIT_TIMEOUT_MS, ...(input !== undefined && { input }) }),
    catFile: (id) => runGitBytes(['cat-file', 'blob', id], { cwd: gitDir, env: { GIT_DIR: gitDir } }),
  }
}

/** Where the repository of a workspace is, by its real path. */
export function placeFolder(folder: string, root: string): string {
  return join(folder, digest(root))
}

/** Names of indexes of earlier releases. */
const TEMPORARY = 'temporary-'

/** Milliseconds that one call may take: a first look at a large folder reads all of it. */
const GIT_TIMEOUT_MS = 120_000

/** A working repository, repaired if a killed process left it incomplete; no other process uses it. */
async function prepare(gitDir: string): Promise<void> {
  await mkdir(join(gitDir, 'info'), { recursive: true, mode: 0o700 })
  const ready = await access(join(gitDir, 'info', 'attributes')).then(
    () => true,
    () => false,
  )
  if (!ready) {
    await runGit(['init', '--quiet', '--bare', '--template='], { cwd: gitDir, env: { GIT_DIR: gitDir } })
    await writeFile(join(gitDir, 'info', 'attributes'), ATTRIBUTES)
  }
  const names = await readdir(gitDir)
  const leftovers = names.filter((name) => name.endsWith('.lock') || name.startsWith(TEMPORARY))
  await Promise.all(leftovers.map((name) => rm(join(gitDir, name), { force: true })))
}

type Surroundings = {
  /** The folder from which ignore rules begin. */
  top: string
  /** The file of the repository's own ignore rules, and what distinguishes its versions; null without a repository. */
  rules: { path: string; version: readonly number[] | null } | null
}

/** The repository that a folder is in. */
async function surroundings(root: string): Promise<Surroundings> {
  const found = await findRepository(root)
  if (found === null || found === 'unusable') return { top: root, rules: null }
  const path = join(found.commonDir, 'info', 'exclude')
  const file = await stat(path).catch(() => null)
  const version = file === null ? null : [file.ino, file.size, file.mtimeMs, file.ctimeMs]
  return { top: found.top, rules: { path, version } }
}

function settingOf(key: string, value: string): Record<string, string> {
  return { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value }
}

/** An ignore rule for a path and what is in it; empty for one elsewhere. */
async function patternFor(top: string, path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  const inside = relative(top, join(folder, basename(path)))
  if (inside.startsWith('..') || isAbsolute(inside)) return ''
  return `/${inside
    .split(sep)
    .join('/')
    .replaceAll(/[\\*?[]/g, '\\$&')}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
