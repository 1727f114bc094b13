import { lstat, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { GitError } from '../git/run-git.ts'
import type { Place } from './place.ts'
import { indexRecords, records, type TreeChange } from './tree-changes.ts'

/**
 * Applies these changes to the files. Ignore rules are restored first: a file that they name existed all the
 * time and stays. Nothing is written through a link, nor in place of a folder that is not empty.
 */
export async function restoreFiles(place: Place, changes: readonly TreeChange[]): Promise<void> {
  const wanted = changes.filter(({ path }) => !place.isKeptOut(path))
  const [rules, others] = [wanted.filter(isRule), wanted.filter((change) => !isRule(change))]
  await write(place, rules)
  await remove(place, others)
  await write(place, others)
  await remove(place, rules)
}

function isRule({ path, to }: TreeChange): boolean {
  return basename(path) === '.gitignore' && to !== null
}

async function write({ root, withIndex }: Place, changes: readonly TreeChange[]): Promise<void> {
  const wanted: TreeChange[] = []
  for (const change of changes) {
    if (change.to !== null && (await isReachable(root, change.path))) wanted.push(change)
  }
  if (wanted.length === 0) return
  await withIndex(async (git) => {
    await git(['update-index', '-z', '--index-info'], indexRecords(wanted))
    await git(['checkout-index', '--force', '--all', '--quiet'])
  })
}

async function remove(place: Place, changes: readonly TreeChange[]): Promise<void> {
  const gone = changes.filter(({ to }) => to === null).map(({ path }) => path)
  const ignored = await ignoredAmong(place, gone)
  for (const path of gone) {
    if (ignored.has(path) || !(await isReachable(place.root, path))) continue
    await rm(join(place.root, path), { force: true })
    await removeEmptied(place.root, dirname(path))
  }
}

async function ignoredAmong({ git }: Place, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  try {
    return new Set((await git(['check-ignore', '-z', '--no-index', '--stdin'], records(paths))).split('\0'))
  } catch (error) {
    if (error instanceof GitError && error.code === 1) return new Set()
    throw error
  }
}

/** True when every parent folder exists or is missing, and the path itself is not a folder. */
async function isReachable(root: string, path: string): Promise<boolean> {
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth++) {
    const found = await lstat(join(root, ...names.slice(0, depth))).catch(() => null)
    if (found === null) return true
    if (found.isDirectory() !== depth < names.length) return false
  }
  return true
}

async function removeEmptied(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.'; path = dirname(path)) {
    const removed = await rmdir(join(root, path)).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}
