import type { Stats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInside } from '../workspaces.ts'
import { filesBelow } from './names-below.ts'
import { namesByMounts } from './names-by-mounts.ts'
import { realOrNearest } from './real-or-nearest.ts'

/** What the server keeps on the disk and reads its settings from, as absolute paths. Nothing of it has to exist. */
export type ServerFiles = {
  /** The database; what is beside it begins with its name. */
  database: string
  /** The key that encrypts keys of providers. */
  key: string
  /** The folder of the database, with all that the server keeps in it. */
  data: string
  snapshots: string
  outputs: string
  /** What commands that may write have found, while they run; in the folder of outputs, which no command sees. */
  running: string
  /** The folder in which the demo model shows its tools; all else in the folder of the database is out of its reach. */
  demo: string
  /** The configuration in force. */
  config: string
  /** The file that is the configuration of a server that starts in this folder. */
  startConfig: string
}

/** What no tool and no command reaches, wherever it lies. An absent file is protected by its name. */
export type ProtectedPlaces = {
  /** Their absolute paths, under each name that leads there; a sandbox hides them. */
  readonly paths: readonly string[]
  /** Whether a real path is one of them or inside of one; also of what does not exist yet. */
  covers(real: string): boolean
  /** Whether a file is one of theirs under a name of its own elsewhere, a hard link. */
  isLinkedTo(file: Pick<Stats, 'dev' | 'ino' | 'nlink'>): Promise<boolean>
  /** The name of the first of the database, its key and the configuration that has a second name, in a folder or anywhere. */
  fileWithOtherName(folder?: string): Promise<string | null>
  /** Whether one of their files has a second name in a folder. */
  haveOtherNames(folder: string): Promise<boolean>
  /** Whether all below a real folder may show something of them. */
  mayBeBelow(folder: string): Promise<boolean>
}

/** What SQLite, the store and its backup put beside a database. */
const BESIDE = ['-wal', '-shm', '-journal', '.owner', '.blobs']

/**
 * The protected places of a server, made once at its start. `inUse` are the real paths of folders that chats work in and that texts
 * are read from: one inside the data folder stays reachable, but for what the server itself keeps there.
 */
export async function openProtectedPlaces(
  files: ServerFiles,
  inUse: readonly string[],
): Promise<ProtectedPlaces> {
  const { database, key, data, snapshots, outputs, config, startConfig } = files
  const allNames = async (paths: readonly string[]) =>
    await namesByMounts(unique([...paths, ...(await Promise.all(paths.map(realOrNearest)))]))
  const [files_, exact, folders] = await Promise.all([
    allNames([database, key]),
    allNames([snapshots, outputs, config, startConfig]),
    allNames([data]),
  ])
  const families = files_.map(fold)
  const single = exact.map(fold)
  const whole = folders.map(fold)
  const open = inUse.map(fold)

  function covers(real: string): boolean {
    const path = fold(real)
    if (families.some((file) => isOfFile(file, path))) return true
    if (single.some((place) => isInside(place, path))) return true
    const isOpen = (folder: string) => open.some((root) => isInside(folder, root) && isInside(root, path))
    return whole.some((folder) => isInside(folder, path) && !isOpen(folder))
  }

  /** The files that could be read under another name. */
  async function present(): Promise<Stats[]> {
    const parents = unique([...files_, ...exact].map((path) => dirname(path)))
    const named = await Promise.all(
      [...parents, ...folders].map(async (folder) => {
        const names = await readdir(folder).catch(() => [])
        return names.map((name) => join(folder, name)).filter(covers)
      }),
    )
    const found = await Promise.all(unique(named.flat()).map((path) => stat(path).catch(() => null)))
    return found.flatMap((one) => (one?.isFile() === true ? one : []))
  }

  async function haveOtherNames(folder: string): Promise<boolean> {
    const linked = (await present()).filter(({ nlink }) => nlink > 1)
    return linked.length > 0 && (await filesBelow(folder, linked, covers)).length > 0
  }

  return {
    paths: unique([
      ...files_.flatMap((path) => [path, ...BESIDE.map((end) => `${path}${end}`)]),
      ...exact,
      ...folders,
    ]),
    covers,
    async isLinkedTo({ dev, ino, nlink }) {
      if (nlink < 2) return false
      return (await present()).some((file) => file.dev === dev && file.ino === ino)
    },
    async fileWithOtherName(folder) {
      const own = [...files_.flatMap((path) => [path, ...BESIDE.map((end) => `${path}${end}`)]), ...exact]
      const found = await Promise.all(own.map((path) => lstat(path).catch(() => null)))
      const linked = own.flatMap((path, at) => {
        const one = found[at] ?? null
        return one?.isFile() && one.nlink > 1 ? [{ path, dev: one.dev, ino: one.ino }] : []
      })
      const [first] =
        folder === undefined || linked.length === 0 ? linked : await filesBelow(folder, linked, covers)
      return first === undefined ? null : basename(first.path)
    },
    haveOtherNames,
    async mayBeBelow(folder) {
      const below = [...files_, ...exact, ...folders].filter((path) => isInside(fold(folder), fold(path)))
      const there = await Promise.all(below.map((path) => stat(path).catch(() => null)))
      return there.some((one) => one !== null) || (await haveOtherNames(folder))
    },
  }
}

/** Whether a path is a file, what belongs to it by its name, or inside of that. */
function isOfFile(file: string, path: string): boolean {
  return path === file || ['-', '.', '/', '\\'].some((sign) => path.startsWith(`${file}${sign}`))
}

/** These systems find a file by a name in other case. */
const foldsCase = process.platform === 'darwin' || process.platform === 'win32'

function fold(path: string): string {
  return foldsCase ? path.normalize('NFC').toLowerCase() : path
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
