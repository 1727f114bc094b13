import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_BYTES } from '@palimpsest/core/ports'
import type { Place } from './place.ts'
import { indexRecords, OPAQUE, records } from './tree-changes.ts'

/** Files that are looked at together. */
const LOOKED_AT_ONCE = 100

/** Files that one call of git adds, so that each is short. */
const ADDED_AT_ONCE = 2_000

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

type Found = 'kept' | 'opaque' | 'gone'

/**
 * Stores the files of a workspace as a tree and returns its id. `last` is the tree of the place's index, as far as it is known: where
 * git finds every file as the index has it, nothing else is done.
 */
export async function captureFiles(
  { root, prefix, git, isKeptOut }: Place,
  last: string | undefined,
): Promise<string> {
  // A rule of the workspace could take our exclusions back.
  const listed = await git(['ls-files', '-z', '-o', '-m', '-d', '--exclude-standard'])
  const paths = new Set(listed.split('\0').filter((path) => isFileName(path) && !isKeptOut(path)))
  if (paths.size === 0 && last !== undefined) return last
  const found = await lookAtAll(root, [...paths])
  const known = [
    ...found.gone.map((path) => ({ path: `${prefix}${path}`, to: null })),
    ...found.opaque.map((path) => ({ path: `${prefix}${path}`, to: OPAQUE })),
  ]
  if (known.length > 0) await git(['update-index', '-z', '--index-info'], indexRecords(known))
  for (let start = 0; start < found.kept.length; start += ADDED_AT_ONCE) {
    const some = records(found.kept.slice(start, start + ADDED_AT_ONCE))
    await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], some)
  }
  return await treeAt(git, prefix)
}

/** Nested repositories are skipped, and so are names that are not valid text. */
function isFileName(path: string): boolean {
  return path !== '' && !path.endsWith('/') && !path.includes('\uFFFD')
}

/** The paths by what is there, looked at a few at a time: all at once would block the event loop. */
async function lookAtAll(root: string, paths: readonly string[]): Promise<Record<Found, string[]>> {
  const found: Record<Found, string[]> = { kept: [], opaque: [], gone: [] }
  for (let start = 0; start < paths.length; start += LOOKED_AT_ONCE) {
    const some = paths.slice(start, start + LOOKED_AT_ONCE)
    const seen = await Promise.all(some.map((path) => look(join(root, path))))
    for (const [at, path] of some.entries()) found[seen[at] ?? 'gone'].push(path)
  }
  return found
}

async function look(path: string): Promise<Found> {
  try {
    const file = await lstat(path)
    if (file.isSymbolicLink()) return 'kept'
    if (!file.isFile()) return 'gone'
    if (file.size > FILE_BYTES) return 'opaque'
  } catch {
    return 'gone'
  }
  return await access(path, constants.R_OK).then(
    () => 'kept',
    () => 'opaque',
  )
}

async function treeAt(git: Place['git'], prefix: string): Promise<string> {
  const tree = (await git(['write-tree'])).trim()
  if (prefix === '') return tree
  const inside = await git(['ls-tree', '-d', '-z', '--full-tree', tree, '--', prefix.slice(0, -1)])
  return /^\d+ tree ([0-9a-f]+)\t/.exec(inside)?.[1] ?? EMPTY_TREE
}
