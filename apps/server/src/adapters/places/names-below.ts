import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Entries of folders that are looked at; where there are more, each file counts as one that has a name there. */
const MAX_ENTRIES = 50_000
/** Entries that are looked at together. */
const AT_ONCE = 200

type FileKey = Pick<Stats, 'dev' | 'ino'>

/** Those of these files that have a name below a folder, but for names that are `own`. */
export async function filesBelow<File extends FileKey>(
  folder: string,
  files: readonly File[],
  own: (path: string) => boolean,
  most = MAX_ENTRIES,
): Promise<File[]> {
  const open = [folder]
  const found = new Set<File>()
  let left = most
  for (let next = open.pop(); next !== undefined && found.size < files.length; next = open.pop()) {
    const names = await readdir(next).catch(() => [])
    left -= names.length
    if (left < 0) return [...files]
    const entries = (await entriesOf(next, names)).filter(({ path }) => !own(path))
    open.push(...entries.flatMap(({ path, stats }) => (stats.isDirectory() ? [path] : [])))
    for (const file of files) if (entries.some(({ stats }) => isNameOf(file, stats))) found.add(file)
  }
  return [...found]
}

type Entry = { path: string; stats: Stats }

async function entriesOf(folder: string, names: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const paths = names.slice(at, at + AT_ONCE).map((name) => join(folder, name))
    const all = await Promise.all(paths.map((path) => lstat(path).catch(() => null)))
    entries.push(...paths.flatMap((path, index) => (all[index] ? [{ path, stats: all[index] }] : [])))
  }
  return entries
}

function isNameOf({ dev, ino }: FileKey, stats: Stats): boolean {
  return stats.isFile() && stats.dev === dev && stats.ino === ino
}
