import { FILE_MODES, type FileState } from '@palimpsest/core/domain'
import type { FileDelta } from '@palimpsest/core/ports'
import type { Place } from './place.ts'

/** Placeholder for a file whose content is not kept: too large, or not readable. Git treats it as a submodule. */
export const OPAQUE: TreeFile = { mode: '160000', id: '1'.repeat(40) }

type TreeFile = { mode: string; id: string }

/** What git writes into an index; null for no file. */
type IndexEntry = { path: string; to: TreeFile | null }

/** The differences between each two trees. Fails when a tree does not exist. */
export async function treeChanges(
  git: Place['git'],
  pairs: readonly (readonly [from: string, to: string])[],
): Promise<FileDelta[][]> {
  if (pairs.length === 0) return []
  const lines = pairs.map(([from, to]) => `${treeId(from)} ${treeId(to)}\n`).join('')
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev']
  const changes: FileDelta[][] = []
  const fields = (await git(args, lines)).split('\0')
  for (let at = 0; at < fields.length; at += 2) {
    // Each pair of trees is named on a line before its differences; missing pairs are skipped.
    const [differs = '', ...named] = (fields[at] ?? '').split('\n').reverse()
    for (const _ of named) changes.push([])
    const change = changeOf(differs, fields[at + 1] ?? '')
    if (change !== null) changes.at(-1)?.push(change)
  }
  if (changes.length !== pairs.length) throw new Error('A state of the workspace is not known here')
  return changes
}

function changeOf(differs: string, path: string): FileDelta | null {
  const [fromMode = '', toMode = '', fromId = '', toId = ''] = differs.slice(1).split(' ')
  if (differs === '') return null
  const isOpaque = fromMode === OPAQUE.mode || toMode === OPAQUE.mode
  return {
    path,
    before: stateOf(fromMode, fromId),
    after: stateOf(toMode, toId),
    notKept: isOpaque ? 'too-large' : null,
  }
}

/** The input with which git adds these files to an index, or removes them; removals first, since a folder may replace a file. */
export function indexRecords(files: readonly IndexEntry[]): string {
  const gone = files.filter(({ to }) => to === null)
  const there = files.filter(({ to }) => to !== null)
  return records(
    [...gone, ...there].map(({ path, to }) => `${to?.mode ?? '0'} ${to?.id ?? '0'.repeat(40)}\t${path}`),
  )
}

/** Records as git reads them: a name can be any bytes. */
export function records(lines: readonly string[]): string {
  return lines.map((line) => `${line}\0`).join('')
}

/** A state id out of a message of any origin: never a value that git would take for an option. */
export function treeId(state: string): string {
  if (/^[0-9a-f]{40}$/.test(state)) return state
  throw new Error('This is no state of a workspace')
}

function stateOf(mode: string, id: string): FileState | null {
  const known = FILE_MODES.find((one) => one === mode)
  return known === undefined ? null : { id, mode: known }
}
