import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Entries of folders that are looked at; where there are more, each file counts as one that has a name there. */
const MAX_ENTRIES = 50_000
/** Entries that are looked at together. */
const AT_ONCE = 200

export type FileKey = Pick<Stats, 'dev' | 'ino'>

/** Those of these files that have a name below a folder, but for names that are `own`. */
export async function filesBelow<File extends FileKey>(
  folder: string,
  files: readonly File[],
  own: (path: string) => boolean,
): Promise<File[]> {
  const open = [folder]
  const found = new Set<File>()
  let left = MAX_ENTRIES
  for (let next = open.pop(); next !== undefined && found.size < files.length; next = open.pop()) {
    const names = await readdir(next).catch(() => [])
    left -= names.length
    if (left < 0) return [...files]
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const paths = names.slice(at, at + AT_ONCE).map((name) => join(next, name))
      const stats = await Promise.all(paths.map((path) => lstat(path).catch(() => null)))
      for (const [index, path] of paths.entries()) {
        const one = stats[index] ?? null
        if (one === null || own(path)) continue
        if (one.isDirectory()) open.push(path)
        const same = files.find(({ dev, ino }) => one.isFile() && one.dev === dev && one.ino === ino)
        if (same !== undefined) found.add(same)
      }
    }
  }
  return [...found]
}
