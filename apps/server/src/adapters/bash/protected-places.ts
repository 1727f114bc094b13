import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findRepository } from '../git/find-repository.ts'
import { isInside } from '../workspaces.ts'
import { findGitPlaces, type GitPlace, keyOf } from './git-folders.ts'
import { openExactly } from './open-folder.ts'
import { realPathOf } from './secret-places.ts'

/**
 * What other programs act on by themselves, so that a command must neither change nor make it: a later git, server or agent outside
 * of the sandbox would start what it names.
 */
export const PROTECTED = {
  /** In the workspace. */
  workspace: ['palimpsest.config.json', '.agents', '.claude', '.codex', '.cursor', '.mcp.json', '.opencode'],
  /** In each folder of git. */
  git: ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir'],
} as const

/**
 * Opens the repository that a workspace belongs to where it lies outside: its folder of git, and the work tree of which the
 * workspace is a part, which git compares. None where that would be all of a home folder.
 */
export async function openRepositoryOf(root: string, home: string): Promise<Mount[]> {
  const found = await findRepository(root)
  if (found === null || found === 'unusable') return []
  const { top, gitDir, commonDir } = found
  const outside = [...new Set([top, commonDir, gitDir])].filter((path) => !isInside(root, path))
  if (isInside(top, home)) return []
  const mounts: Mount[] = []
  for (const path of outside) mount(mounts, path, true)
  return mounts
}

/** An opened file or folder that is mounted over its own path. */
export type Mount = { descriptor: number; path: string; isReadOnly: boolean }

export type Protection = {
  mounts: readonly Mount[]
  /** The repositories that there were, by key. */
  known: ReadonlyMap<string, GitPlace>
  /** The paths of the mounts, from the root, with what was there: a folder above one can be moved, and another put in its place. */
  mounted: ReadonlyMap<string, string>
  /** Names in the workspace that could not be mounted as they are absent or links, with what is there. */
  watched: ReadonlyMap<string, string>
}

/**
 * Opens what commands in a workspace must not change. A folder of git is a mount of its own, as a mount cannot be moved away; hooks
 * and settings that it lacks are made, empty, so that there is something to mount. So are the folders above the covered places of
 * the workspace: moved away, such a place would be found no more.
 */
export async function openProtection(root: string, covered: readonly string[]): Promise<Protection> {
  const mounts: Mount[] = []
  const watched = new Map<string, string>()
  const known = new Map<string, GitPlace>()
  try {
    for (const folder of foldersAbove(root, covered)) mount(mounts, folder, false)
    for (const name of PROTECTED.workspace)
      if (!mount(mounts, join(root, name), true)) watched.set(name, markOf(join(root, name)))
    for (const place of await findGitPlaces(root)) {
      known.set(place.key, place)
      if (place.kind === 'pointer') protectPointer(mounts, root, place.path)
      else protectFolder(mounts, root, place.path)
    }
    const mounted = new Map(mounts.map(({ path }) => [relative(root, path), markOf(path)] as const))
    return { mounts, known, watched, mounted }
  } catch (error) {
    closeMounts(mounts)
    throw error
  }
}

/** The folders between the root and these paths, each once, the outer before the inner. */
function foldersAbove(root: string, paths: readonly string[]): string[] {
  const above = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== root && isInside(root, folder); folder = dirname(folder))
      above.add(folder)
  return [...above].sort((a, b) => a.length - b.length)
}

export function closeMounts(mounts: readonly Mount[]): void {
  for (const { descriptor } of mounts) closeSync(descriptor)
}

/** Names what is at a path: nothing, a link, or a file. */
export function markOf(path: string): string {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : keyOf(found)
}

function mount(mounts: Mount[], path: string, isReadOnly: boolean): boolean {
  try {
    mounts.push({ descriptor: openExactly(path), path, isReadOnly })
    return true
  } catch {
    return false
  }
}

function protectPointer(mounts: Mount[], root: string, path: string): void {
  if (mount(mounts, path, true)) return
  const real = realPathOf(path)
  if (real !== null && isInside(root, real)) protectFolder(mounts, root, real)
}

function protectFolder(mounts: Mount[], root: string, path: string): void {
  const parts = PROTECTED.git.map((name) => join(path, name))
  const links = parts.filter((part) => lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink())
  // A link can be replaced, so nothing in that folder may be; what it leads to may neither.
  if (!mount(mounts, path, links.length > 0)) return
  const opened = `/proc/self/fd/${mounts.at(-1)?.descriptor}`
  const targets = links.flatMap((link) => realPathOf(link) ?? []).filter((real) => isInside(root, real))
  if (links.length > 0) {
    for (const target of targets) mount(mounts, target, true)
    return
  }
  for (const inner of ['modules', 'worktrees']) mount(mounts, join(path, inner), false)
  makeMissing(path, opened)
  for (const part of parts) mount(mounts, part, true)
}

/** Makes the hooks and settings that a repository of its own lacks: git makes them too, and takes empty ones for none. */
function makeMissing(path: string, opened: string): void {
  const isLinked = lstatSync(join(opened, 'commondir'), { throwIfNoEntry: false }) !== undefined
  if (isLinked || dirname(path).endsWith('/worktrees')) return
  // By the descriptor: a path could lead elsewhere meanwhile.
  attempt(() => mkdirSync(join(opened, 'hooks')))
  attempt(() => touch(join(opened, 'config')))
  const usesMore = /worktreeconfig/i.test(attempt(() => readFileSync(join(opened, 'config'), 'utf8')) ?? '')
  if (usesMore) attempt(() => touch(join(opened, 'config.worktree')))
}

function touch(path: string): void {
  closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o644))
}

function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
