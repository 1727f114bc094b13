import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findRepository } from '../git/find-repository.ts'
import { isInside } from '../workspaces.ts'
import { type Settings, settingsBefore } from './changed-settings.ts'
import { type GitPlace, markOf } from './git-folders.ts'
import { openExactly } from './open-folder.ts'
import { type NamedPlace, scanWorkspace } from './scan-workspace.ts'
import { realPathOf } from './secret-places.ts'

/** The names in each folder of git by which git starts programs, or finds those that do. */
const GIT_NAMES = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir'] as const

/** Repositories, and other protected names, that are mounted for one command; a command can change what is beyond. */
const MAX_REPOSITORIES = 100
const MAX_NAMES = 300

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

/** What a command finds in its workspace by protected names, so that what it makes can be told from that. */
export type Before = {
  /**
   * The keys of what has a protected name, and of repositories, by their paths from the root: a folder above one can be moved, and
   * another put in its place.
   */
  known: ReadonlyMap<string, string>
  /** The same of hooks, settings and pointers in folders of git. */
  parts: ReadonlyMap<string, string>
  /** The settings of the server that a command could make. */
  settings: Settings
  /** The folders that were looked into, from the root, whether there were more, and when that was, in Unix milliseconds. */
  folders: ReadonlySet<string>
  isCut: boolean
  at: number
}

/** A command that may write in a workspace, whose root is where that folder is now. */
export type WritingCommand = { readonly root: string; before: Before }

/** Whether a command found this where it is. */
export function isKnown({ path, key }: NamedPlace, root: string, { known }: Pick<Before, 'known'>): boolean {
  return known.get(relative(root, path)) === key
}

export type Protection = { mounts: readonly Mount[]; before: Before }

/**
 * Opens what commands in a workspace must not change. A folder of git is a mount of its own, as a mount cannot be moved away; hooks
 * and settings that it lacks are made, empty, so that there is something to mount. So are the folders above the `covered` places of
 * the workspace: moved away, such a place would be found no more. What commands that run meanwhile (`running`) have made is neither
 * mounted nor known: it is set aside when they end, and must not come back.
 */
export async function openProtection(
  root: string,
  { covered, settings }: { covered: readonly string[]; settings: readonly string[] },
  running: () => readonly WritingCommand[],
): Promise<Protection> {
  const mounts: Mount[] = []
  const early = running()
  try {
    for (const folder of foldersAbove(root, covered)) mount(mounts, folder, false)
    const { places, named, folders, isCut, at } = await scanWorkspace(root)
    // One that has ended during the scan may have had something there.
    const others = [...new Set([...early, ...running()])]
    const isOwn = (place: NamedPlace) =>
      others.every((other) => !isInside(other.root, place.path) || isKnown(place, other.root, other.before))
    const [repositories, names] = [places.filter(isOwn), named.filter(isOwn)]
    for (const place of repositories.slice(0, MAX_REPOSITORIES)) {
      if (place.kind === 'pointer') protectPointer(mounts, root, place.path)
      else protectFolder(mounts, root, place.path)
    }
    for (const { path } of names.slice(0, MAX_NAMES)) protectName(mounts, root, path)
    const isOwnPart = ({ path, key }: NamedPlace) =>
      others.every(
        (other) => !isInside(other.root, path) || other.before.parts.get(relative(other.root, path)) === key,
      )
    const parts = new Map(
      repositories
        .flatMap(partsOf)
        .filter(isOwnPart)
        .map(({ path, key }) => [relative(root, path), key]),
    )
    const known = new Map([...repositories, ...names].map(({ path, key }) => [relative(root, path), key]))
    return { mounts, before: { known, parts, settings: settingsBefore(root, settings), folders, isCut, at } }
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

function partsOf({ path }: GitPlace): NamedPlace[] {
  const parts = GIT_NAMES.map((name) => join(path, name))
  return parts.map((part) => ({ path: part, key: markOf(part) })).filter(({ key }) => key !== '')
}

function mount(mounts: Mount[], path: string, isReadOnly: boolean): boolean {
  try {
    mounts.push({ descriptor: openExactly(path), path, isReadOnly })
    return true
  } catch {
    return false
  }
}

/** Mounts what has a protected name; of a link what it leads to, as the link can only be replaced. */
function protectName(mounts: Mount[], root: string, path: string): void {
  if (mount(mounts, path, true)) return
  const real = realPathOf(path)
  if (real !== null && real !== root && isInside(root, real)) mount(mounts, real, true)
}

function protectPointer(mounts: Mount[], root: string, path: string): void {
  if (mount(mounts, path, true)) return
  const real = realPathOf(path)
  if (real !== null && isInside(root, real)) protectFolder(mounts, root, real)
}

function protectFolder(mounts: Mount[], root: string, path: string): void {
  const parts = GIT_NAMES.map((name) => join(path, name))
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
