import type { Place } from './place.ts'

/** Stands for a file whose content is not kept: too large, or not ours to read. Git takes it for a submodule. */
export const OPAQUE: TreeFile = { mode: '160000', id: '1'.repeat(40) }

/** A path that differs between two trees; null where there is no file. */
export type TreeChange = { path: string; from: TreeFile | null; to: TreeFile | null }
export type TreeFile = { mode: string; id: string }

/** What differs, as far as both sides are kept. Fails when a tree is not known here. */
export async function treeChanges(git: Place['git'], from: string, to: string): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', treeId(from), treeId(to)]
  const fields = (await git(args)).split('\0')
  const changes: TreeChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [fromMode = '', toMode = '', fromId = '', toId = ''] = fields[at]?.slice(1).split(' ') ?? []
    if (fromMode === OPAQUE.mode || toMode === OPAQUE.mode) continue
    changes.push({ path: fields[at + 1] ?? '', from: fileOf(fromMode, fromId), to: fileOf(toMode, toId) })
  }
  return changes
}

/** Records that make an index hold these files, or not hold them; first what goes, since a folder may take its place. */
export function indexRecords(files: readonly Pick<TreeChange, 'path' | 'to'>[]): string[] {
  const gone = files.filter(({ to }) => to === null)
  const there = files.filter(({ to }) => to !== null)
  return [...gone, ...there].map(({ path, to }) => `${to?.mode ?? '0'} ${to?.id ?? '0'.repeat(40)}\t${path}`)
}

/** An id out of a message that may have come from anywhere: nothing that git would take for an option. */
export function treeId(state: string): string {
  if (/^[0-9a-f]{40}$/.test(state)) return state
  throw new Error('This is no state of a workspace')
}

function fileOf(mode: string, id: string): TreeFile | null {
  return /^0+$/.test(mode) ? null : { mode, id }
}
