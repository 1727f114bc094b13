import { type Dirent, lstatSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isProtectedName } from '@palimpsest/core/domain'
import { type GitPlace, gitPlacesIn, keyOf } from './git-folders.ts'

/** New folders that are looked into, and how deep; what lies beyond is not looked at. */
const MAX_FOLDERS = 2_000
const MAX_DEPTH = 8

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
}

type OpenFolder = { path: string; depth: number }

/** Looks into a folder and those in it: into `known` ones, relative to it, before any other, so that no new ones stand in for them. */
export async function scanWorkspace(root: string, known: ReadonlySet<string> = new Set()): Promise<Scan> {
  const [first, later]: [OpenFolder[], OpenFolder[]] = [[{ path: root, depth: 0 }], []]
  const places: GitPlace[] = []
  const named: NamedPlace[] = []
  const folders = new Set<string>()
  let room = MAX_FOLDERS
  let isCut = false
  for (let next = first.shift(); next !== undefined; next = first.shift() ?? later.shift()) {
    const { path, depth } = next
    folders.add(relative(root, path))
    const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
    const own = await gitPlacesIn(path, entries)
    places.push(...own)
    named.push(...namedIn(path, entries))
    // What is in a bare repository is part of it.
    if (own.some((place) => place.path === path)) continue
    for (const { name } of entries.filter(isLookedInto)) {
      const below = { path: join(path, name), depth: depth + 1 }
      if (known.has(relative(root, below.path))) first.push(below)
      else if (depth === MAX_DEPTH || room === 0) isCut ||= room === 0
      else {
        later.push(below)
        room -= 1
      }
    }
  }
  return { places, named, folders, isCut }
}

function isLookedInto(entry: Dirent): boolean {
  const { name } = entry
  return entry.isDirectory() && name !== '.git' && !SKIPPED.has(name) && !isProtectedName(name)
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
