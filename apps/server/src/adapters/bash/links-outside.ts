import { readdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../workspaces.ts'

/** Paths of one line that are followed; more count as leading outside. */
const MAX_PATHS = 200
/** Entries of folders that are looked at for one line; more count as leading outside. */
const MAX_ENTRIES = 50_000
/** How deep a folder is followed. */
const MAX_DEPTH = 60

/** What a line reads, as `WorkspaceReach` has it. */
type Read = { reads: readonly string[]; globs: readonly string[]; trees: readonly string[] }

/** The first path or pattern that a link leads outside of the root, null when none does, and what the globs match. */
export async function findLinksOutside(
  root: string,
  { reads, globs, trees }: Read,
): Promise<{ outside: string | null; matched: string[] }> {
  const budget = { entries: MAX_ENTRIES }
  const matched: string[] = []
  const over = [...reads, ...globs, ...trees][MAX_PATHS]
  if (over !== undefined) return { outside: over, matched }
  // Joined as text: `..` after a link is what the system makes of it.
  for (const path of reads)
    if (!(await staysInside(root, below(root, path)))) return { outside: path, matched }
  for (const glob of globs) {
    const found = await expand(root, glob, budget)
    if (found === null) return { outside: glob, matched }
    matched.push(...found)
  }
  for (const tree of trees) {
    // What a glob may match is below its folder.
    const folder = GLOB.test(tree) ? folderOf(tree) : tree
    if (!(await treeStaysInside(root, below(root, folder), budget, 0))) return { outside: tree, matched }
  }
  return { outside: null, matched: matched.length > MAX_PATHS ? [] : matched }
}

const GLOB = /[*?[]/

/** The folder in which the first glob of a pattern matches. */
function folderOf(pattern: string): string {
  return pattern.slice(0, pattern.lastIndexOf('/', pattern.search(GLOB)) + 1)
}

function below(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`
}

async function staysInside(root: string, path: string): Promise<boolean> {
  const real = await realPathOf(path)
  return isInside(root, real) || real === '/dev/null'
}

/** The real path of a file; of one that is missing, that of the nearest folder above it. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return path === '/' ? path : await realPathOf(dirname(path))
  }
}

type Budget = { entries: number }

/** What a pattern may match: at least all that bash makes of it. Null when a link leads one of it outside, or it is too much. */
async function expand(root: string, pattern: string, budget: Budget): Promise<string[] | null> {
  // The folder before the first glob is among what is read.
  const folder = folderOf(pattern)
  let paths = [folder]
  for (const step of pattern
    .slice(folder.length)
    .split('/')
    .filter((step) => step !== '')) {
    const next: string[] = []
    for (const path of paths) {
      const names = await namesOf(below(root, path), step, budget)
      if (names === null) return null
      for (const { name, isLink } of names) {
        const found = join(path, name)
        if (isLink && !(await staysInside(root, below(root, found)))) return null
        next.push(found)
      }
    }
    paths = next
  }
  return paths
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
async function treeStaysInside(
  root: string,
  folder: string,
  budget: Budget,
  depth: number,
): Promise<boolean> {
  const entries = await entriesOf(folder, budget)
  if (entries === null || depth > MAX_DEPTH) return false
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) {
      const real = await realPathOf(path)
      if (!isInside(root, real)) return false
      budget.entries -= 1
      if (!(await treeStaysInside(root, real, budget, depth + 1))) return false
    } else if (entry.isDirectory() && !(await treeStaysInside(root, path, budget, depth + 1))) return false
  }
  return true
}
