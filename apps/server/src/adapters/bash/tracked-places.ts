import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { findRepository, type Repository } from '../git/find-repository.ts'
import { GitError, runGit } from '../git/run-git.ts'
import { openView, parseSettings, VIEWED_SETTINGS } from '../git-status/repository-view.ts'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { isInside } from '../workspaces.ts'

/** Linked work trees of a repository that are looked at; one with more counts as one that tracks a protected place. */
const MAX_WORK_TREES = 50

/**
 * The first protected place that a repository in which one of these folders (real paths) is tracks in the index or HEAD of one of its
 * work trees, by its path in that; null when none does. A repository that cannot be read counts as one that does. Git is started only
 * where a work tree holds such a place.
 */
export async function trackedPlace(
  folders: readonly string[],
  places: ProtectedPlaces,
): Promise<string | null> {
  const seen = new Set<string>()
  for (const folder of folders) {
    const repository = await findRepository(folder)
    if (repository === null || repository === 'unusable' || seen.has(repository.top)) continue
    seen.add(repository.top)
    const found = await trackedInTrees(repository, places)
    if (found !== null) return found
  }
  return null
}

/** Git prints the commits of each work tree from all of them. */
async function trackedInTrees(repository: Repository, places: ProtectedPlaces): Promise<string | null> {
  const { gitDir, commonDir } = repository
  const linked = await readdir(join(commonDir, 'worktrees')).catch(() => [])
  const [anyPlace] = places.paths
  if (linked.length > MAX_WORK_TREES && anyPlace !== undefined) return basename(anyPlace)
  const others = await Promise.all(linked.map((name) => linkedTree(commonDir, name)))
  const main = basename(commonDir) === '.git' ? [mainTree(commonDir)] : []
  const all = [repository, ...[...main, ...others].filter((tree) => tree?.gitDir !== gitDir)]
  for (const tree of all) {
    const found = tree === null ? null : await trackedIn(tree, places)
    if (found !== null) return found
  }
  return null
}

function mainTree(commonDir: string): Repository {
  return { top: dirname(commonDir), gitDir: commonDir, commonDir, mustNameTop: false }
}

/** A linked work tree, also one whose folder is gone: its commits are there still. */
async function linkedTree(commonDir: string, name: string): Promise<Repository | null> {
  const gitDir = join(commonDir, 'worktrees', name)
  const mark = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => null)
  if (mark === null) return null
  const path = dirname(resolve(gitDir, mark.trimEnd()))
  const top = await realpath(path).catch(() => path)
  return { top, gitDir, commonDir, mustNameTop: false }
}

async function trackedIn(repository: Repository, places: ProtectedPlaces): Promise<string | null> {
  const { top } = repository
  const inside = places.paths.filter((path) => path !== top && isInside(top, path))
  const [first] = inside
  if (first === undefined) return null
  try {
    const names = await namesLike(repository, inside)
    return names.find((name) => places.covers(join(top, name))) ?? null
  } catch {
    return relative(top, first)
  }
}

/** The names in the index and HEAD that begin as one of these paths does, in any case: more than those that are protected. */
async function namesLike(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const { top, commonDir } = repository
  await using view = await openView(repository, await settingsOf(commonDir))
  const git = (...args: string[]) =>
    runGit([`--git-dir=${view.path}`, `--work-tree=${top}`, ...args], { cwd: top })
  // Before the first commit there is none.
  const hasHead = await git('rev-parse', '--quiet', '--verify', 'HEAD^{tree}').then(() => true, isFailure)
  const patterns = paths.map((path) => `:(top,icase)${escaped(relative(top, path))}*`)
  const listed = await git('ls-files', '-z', ...(hasHead ? ['--with-tree=HEAD'] : []), '--', ...patterns)
  return listed.split('\0').filter((name) => name !== '')
}

async function settingsOf(commonDir: string) {
  const args = [
    'config',
    '--no-includes',
    '--file',
    join(commonDir, 'config'),
    '--get-regexp',
    VIEWED_SETTINGS,
  ]
  return parseSettings(await runGit(args, { cwd: commonDir }))
}

/** False where git ran and failed. */
function isFailure(error: unknown): false {
  if (error instanceof GitError && error.code !== null) return false
  throw error
}

function escaped(path: string): string {
  return path
    .split(sep)
    .join('/')
    .replaceAll(/[\\*?[]/g, String.raw`\$&`)
}
