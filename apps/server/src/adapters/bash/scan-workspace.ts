import { type Dirent, lstatSync, statSync } from 'node:fs'
import { chmod, lstat, readdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isProtectedName } from '@palimpsest/core/domain'
import { hasCode } from '../files/open-inside.ts'
import { isInside } from '../workspaces.ts'
import { type GitPlace, gitPlacesIn, keyOf } from './git-folders.ts'

/** New folders that are looked into, and how deep; what lies beyond is not looked at. */
const MAX_FOLDERS = 2_000
const MAX_DEPTH = 8

/** Milliseconds by which the times of files are behind the clock. */
export const CLOCK_MS = 100

/** Folders of packages: they hold very many folders, and hardly a repository or settings that anything acts on. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules'])

/** What is there by a protected name. */
export type NamedPlace = { path: string; key: string }

export type Scan = {
  /** The repositories, those of submodules and linked work trees included, from the outer to the inner. */
  places: readonly GitPlace[]
  named: readonly NamedPlace[]
  /** The folders that were looked into, relative to the root. */
  folders: ReadonlySet<string>
  /** Whether there are more folders. */
  isCut: boolean
  /** When it began, in Unix milliseconds. */
  at: number
}

/**
 * Looks into a folder, those in it, and those that links in it lead to. `before`, what a command found, has it look into the folders
 * that were there before any other, so that no new ones stand in for them, and into those that the command made unreadable.
 */
export async function scanWorkspace(
  root: string,
  before: Pick<Scan, 'folders' | 'at'> | null = null,
): Promise<Scan> {
  const at = Date.now()
  const queue = createFolderQueue(root, before?.folders ?? new Set())
  const places: GitPlace[] = []
  const named: NamedPlace[] = []
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    const { path, depth } = next
    const entries = await entriesOf(path, before?.at ?? null)
    const own = await gitPlacesIn(path, entries)
    places.push(...own)
    named.push(...namedIn(path, entries))
    // What is in a bare repository is part of it.
    if (own.some((place) => place.path === path) || depth === MAX_DEPTH) continue
    for (const entry of entries.filter(isLookedInto)) {
      const below = await folderAt(root, join(path, entry.name), entry)
      if (below !== null) queue.add(below, depth + 1)
    }
  }
  return { places, named, folders: queue.folders, isCut: queue.isCut, at }
}

/** Folders in the order in which they are looked into, each once: the known ones first. */
function createFolderQueue(root: string, known: ReadonlySet<string>) {
  const first = [{ path: root, depth: 0 }]
  const later: typeof first = []
  const folders = new Set([''])
  let room = MAX_FOLDERS
  let isCut = false
  return {
    folders,
    get isCut() {
      return isCut
    },
    next: () => first.shift() ?? later.shift(),
    add(path: string, depth: number) {
      const name = relative(root, path)
      if (folders.has(name)) return
      const isKnown = known.has(name)
      if (!isKnown && room === 0) {
        isCut = true
        return
      }
      folders.add(name)
      if (!isKnown) room -= 1
      const queue = isKnown ? first : later
      queue.push({ path, depth })
    },
  }
}

/** The real path of a folder in the root, of a link what it leads to; null for anything else. */
async function folderAt(root: string, path: string, entry: Dirent): Promise<string | null> {
  if (!entry.isSymbolicLink()) return path
  const real = await realpath(path).catch(() => null)
  if (real === null || real === root || !isInside(root, real)) return null
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? real : null
}

/** What is in a folder; one that has been made unreadable since a time gets the rights of its owner back. */
async function entriesOf(path: string, since: number | null): Promise<Dirent[]> {
  const read = () => readdir(path, { withFileTypes: true })
  try {
    return await read()
  } catch (error) {
    if (since === null || !hasCode(error, 'EACCES')) return []
    return await makeReadable(path, since)
      .then(read)
      .catch(() => [])
  }
}

async function makeReadable(path: string, since: number): Promise<void> {
  const { mode, ctimeMs } = await lstat(path)
  if (ctimeMs >= since - CLOCK_MS && (await realpath(path)) === path) await chmod(path, mode | 0o700)
}

function isLookedInto(entry: Dirent): boolean {
  const { name } = entry
  const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink()
  return mayBeFolder && name !== '.git' && !SKIPPED.has(name) && !isProtectedName(name)
}

function namedIn(folder: string, entries: readonly Dirent[]): NamedPlace[] {
  const found = entries.filter(({ name }) => isProtectedName(name)).map(({ name }) => join(folder, name))
  return found.flatMap((path) => {
    const key = namedKey(path)
    return key === null ? [] : [{ path, key }]
  })
}

/** Names what is at a path itself, and of a link what it leads to as well; null for nothing. */
export function namedKey(path: string): string | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (found?.isSymbolicLink() !== true) return found === undefined ? null : keyOf(found)
  return `${keyOf(found)}>${targetKey(path)}`
}

function targetKey(link: string): string {
  try {
    return keyOf(statSync(link, { bigint: true }))
  } catch {
    return 'nothing'
  }
}
