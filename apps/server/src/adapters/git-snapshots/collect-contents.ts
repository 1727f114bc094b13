import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './place.ts'

/** Milliseconds for which a content is kept that no row names: its row may be about to be written. */
const SPARED_MS = 24 * 60 * 60 * 1000

/** Loose objects that are worth a pack. */
const MIN_PACKED = 1_000

/**
 * Packs the named contents and the trees of the index, once there are many, and removes loose objects that are not named and older than
 * a day. Contents in packs that nothing names go with the next pack.
 */
export async function collectContents(
  place: Place,
  folder: string,
  named: ReadonlySet<string>,
): Promise<void> {
  const objects = join(folder, 'objects')
  const loose = await looseObjects(objects)
  const trees = await indexObjects(place)
  const isNamed = (id: string) => named.has(id) || trees.has(id)
  const now = Date.now()
  let kept = 0
  for (const id of loose) {
    const file = join(objects, id.slice(0, 2), id.slice(2))
    if (isNamed(id)) kept += 1
    else if (now - (await stat(file).catch(() => ({ mtimeMs: now }))).mtimeMs > SPARED_MS)
      await rm(file, { force: true })
  }
  if (kept < MIN_PACKED) return
  const earlier = await readdir(join(objects, 'pack')).catch((): string[] => [])
  const all = await place.git([
    'cat-file',
    '--batch-all-objects',
    '--batch-check=%(objectname)',
    '--unordered',
  ])
  const wanted = all.split('\n').filter((id) => id !== '' && isNamed(id))
  const name = (
    await place.git(['pack-objects', '-q', join(objects, 'pack', 'pack')], `${wanted.join('\n')}\n`)
  ).trim()
  for (const file of earlier) if (!file.includes(name)) await rm(join(objects, 'pack', file), { force: true })
  await place.git(['prune-packed', '-q'])
}

/** The ids of loose objects, read a folder at a time. */
async function looseObjects(objects: string): Promise<string[]> {
  const ids: string[] = []
  for (const start of await readdir(objects).catch((): string[] => [])) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue
    for (const rest of await readdir(join(objects, start)))
      if (/^[0-9a-f]{38}$/.test(rest)) ids.push(`${start}${rest}`)
  }
  return ids
}

/** What the present capture needs: the trees of the index and the contents in it. */
async function indexObjects({ git }: Place): Promise<Set<string>> {
  const listed = await git(['ls-files', '-s', '-z']).catch(() => '')
  const ids = new Set(listed.split('\0').map((line) => line.split(' ')[1] ?? ''))
  const tree = await git(['write-tree']).catch(() => '')
  if (tree !== '') {
    ids.add(tree.trim())
    const below = await git(['ls-tree', '-r', '-t', '-z', '--full-tree', tree.trim()])
    for (const line of below.split('\0')) ids.add(line.split(/[ \t]/)[2] ?? '')
  }
  return ids
}
