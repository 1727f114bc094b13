import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { WorkspaceReach } from '@palimpsest/core/ports'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { realOrNearest } from '../places/real-or-nearest.ts'
import { isInside } from '../workspaces.ts'

/** Paths of one line that are followed; more count as leading outside. */
const MAX_PATHS = 200
/** Entries of folders that are looked at for one line; more count as leading outside. */
const MAX_ENTRIES = 50_000
/** How deep a folder is followed. */
const MAX_DEPTH = 60

/** What a line reads, as `WorkspaceReach` has it. */
type Read = Pick<WorkspaceReach, 'reads' | 'globs' | 'trees' | 'walks'>

/** A workspace, what of it counts as outside, and whether commands run where that cannot be seen. */
export type Area = { root: string; places: ProtectedPlaces; boxed: boolean }

/**
 * The first path or pattern that is outside of the root or leads there by a link, or to the server's own places; null when none does.
 * And what the globs match.
 */
export async function findLinksOutside(
  area: Area,
  { reads, globs, trees, walks }: Read,
): Promise<{ outside: string | null; matched: string[] }> {
  const { root } = area
  const budget = { entries: MAX_ENTRIES }
  const matched: string[] = []
  const over = [...reads, ...globs, ...trees, ...(area.boxed ? [] : walks)][MAX_PATHS]
  if (over !== undefined) return { outside: over, matched }
  // Joined as text: `..` after a link is what the system makes of it.
  for (const path of reads)
    if (!(await staysInside(area, below(root, path)))) return { outside: path, matched }
  for (const glob of globs) {
    const found = await expand(area, glob, budget)
    if (found === null) return { outside: glob, matched }
    matched.push(...found)
  }
  for (const tree of trees) {
    // What a glob may match is below its folder.
    const folder = await realOrNearest(below(root, folderOf(tree)))
    if (!(await treeStaysInside(area, folder, budget, 0))) return { outside: tree, matched }
  }
  const walked = await firstOwnBelow(area, walks)
  if (walked !== null) return { outside: walked, matched }
  return { outside: null, matched: matched.length > MAX_PATHS ? [] : matched }
}

/** Whether a path that counts as outside may be one of the server's own places; of what was found by walking it is not known. */
export async function mayBeOwn(
  { root, places }: Area,
  path: string,
  { reads }: Pick<Read, 'reads'>,
): Promise<boolean> {
  if (!reads.includes(path)) return true
  const real = await realOrNearest(below(root, path))
  const found = await stat(real).catch(() => null)
  return places.covers(real) || (found?.isFile() === true && (await places.isLinkedTo(found)))
}

/** The first folder below which something of the server's may be read. */
async function firstOwnBelow(
  { root, places, boxed }: Area,
  walks: readonly string[],
): Promise<string | null> {
  for (const walk of boxed ? [] : walks) {
    const folder = await realOrNearest(below(root, folderOf(walk)))
    if (await places.mayBeBelow(folder)) return walk === '' ? '.' : walk
  }
  return null
}

/**
 * The first pattern that bash may make an option of: a bare one that matches a name with a leading dash, or a text that matches any
 * name. Null when there is none.
 */
export async function findMisread(
  area: Area,
  { bare, texts }: { bare: readonly string[]; texts: readonly string[] },
): Promise<string | null> {
  const budget = { entries: MAX_ENTRIES }
  for (const pattern of texts) if ((await expand(area, pattern, budget))?.length !== 0) return pattern
  for (const pattern of bare) {
    const found = await expand(area, pattern, budget)
    if (found === null || found.some((path) => /(?:^|\/)-/.test(path))) return pattern
  }
  return null
}

const GLOB = /[*?[]/

/** The folder in which the first glob of a pattern matches; a path without one is that folder. */
function folderOf(pattern: string): string {
  if (!GLOB.test(pattern)) return pattern
  return pattern.slice(0, pattern.lastIndexOf('/', pattern.search(GLOB)) + 1)
}

function below(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`
}

async function staysInside({ root, places }: Area, path: string): Promise<boolean> {
  const real = await realOrNearest(path)
  if (real === '/dev/null') return true
  if (!isInside(root, real) || places.covers(real)) return false
  const found = await stat(real).catch(() => null)
  return found?.isFile() !== true || !(await places.isLinkedTo(found))
}

type Budget = { entries: number }

/** What a pattern may match: at least all that bash makes of it. Null when a link leads one of it outside, or it is too much. */
async function expand(area: Area, pattern: string, budget: Budget): Promise<string[] | null> {
  // The folder before the first glob is among what is read.
  const folder = folderOf(pattern)
  let paths = [folder]
  for (const step of pattern
    .slice(folder.length)
    .split('/')
    .filter((step) => step !== '')) {
    const next: string[] = []
    for (const path of paths) {
      const folder = below(area.root, path)
      const names = await namesOf(folder, step, budget)
      if (names === null) return null
      const isOurs = await ownNamesIn(area, folder)
      for (const { name, isLink } of names) {
        const found = join(path, name)
        if (isOurs(name) || (isLink && !(await staysInside(area, below(area.root, found))))) return null
        next.push(found)
      }
    }
    paths = next
  }
  return paths
}

/**
 * Which names in a folder are of the server's own places. In the sandbox these are empty, and only what is inside of one counts. Where
 * one of them has a second name, any name may be that.
 */
async function ownNamesIn({ places, boxed }: Area, folder: string): Promise<(name: string) => boolean> {
  const real = await realOrNearest(folder)
  if (boxed || places.covers(real)) return () => places.covers(real)
  if (await places.haveOtherNames(real)) return () => true
  return (name) => places.covers(join(real, name))
}

type Name = { name: string; isLink: boolean }

async function namesOf(folder: string, step: string, budget: Budget): Promise<Name[] | null> {
  if (!GLOB.test(step)) return [{ name: step, isLink: step !== '.' }]
  const entries = await entriesOf(folder, budget)
  return (
    entries
      ?.filter(({ name }) => mayMatch(step, name) && (step.startsWith('.') || !name.startsWith('.')))
      .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() })) ?? null
  )
}

/** Whether bash may match the name: one character and a list of characters count as any text. In linear time. */
function mayMatch(step: string, name: string): boolean {
  const [first = '', ...pieces] = step.replace(/\[.*$/s, '*').split(/[*?]+/)
  const last = pieces.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let from = first.length
  for (const piece of pieces) {
    const at = name.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return from + last.length <= name.length
}

async function entriesOf(folder: string, budget: Budget) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  budget.entries -= entries.length
  return budget.entries < 0 ? null : entries
}

/** Whether no link in a folder, at any depth, leads outside. A link to a folder inside is one of the tree where that folder is. */
async function treeStaysInside(area: Area, folder: string, budget: Budget, depth: number): Promise<boolean> {
  const entries = await entriesOf(folder, budget)
  if (entries === null || depth > MAX_DEPTH) return false
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const next = entry.isSymbolicLink() ? await insideBy(area, path) : path
    if (next === null) return false
    if (next === path && !entry.isDirectory()) continue
    if (!area.boxed && area.places.covers(next)) return false
    budget.entries -= 1
    if (!(await treeStaysInside(area, next, budget, depth + 1))) return false
  }
  return true
}

/** Where a link leads; null when that is outside. */
async function insideBy(area: Area, link: string): Promise<string | null> {
  return (await staysInside(area, link)) ? await realOrNearest(link) : null
}
