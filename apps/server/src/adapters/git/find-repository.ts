import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** A repository with a work tree; all paths are real. */
export type Repository = {
  /** The folder that holds `.git`. */
  top: string
  /** Holds this work tree's HEAD and index. */
  gitDir: string
  /** Holds objects, refs and settings; the same as `gitDir` unless the work tree is one of several. */
  commonDir: string
  /** True when the settings have to name `top` as its work tree, as those of a submodule do. */
  mustNameTop: boolean
}

/**
 * Finds the repository that contains a folder (its real path), without starting git: git itself would read the settings of
 * any repository it finds, also of a bare one among the files of a clone. Returns null outside a repository, and 'unusable' for
 * one of another user, one that points into a repository which does not point back, or an invalid one.
 */
export function findRepository(folder: string): Promise<Found> {
  const shared = looking.get(folder)
  if (shared !== undefined) return shared
  const found = lookFrom(folder).finally(() => looking.delete(folder))
  looking.set(folder, found)
  return found
}

type Found = Repository | 'unusable' | null

/** Look-ups that are not over: what a turn needs at once, such as the status and the state of the files, looks once. */
const looking = new Map<string, Promise<Found>>()

async function lookFrom(folder: string): Promise<Found> {
  const mark = join(folder, '.git')
  const found = await lstat(mark).catch(() => null)
  if (found === null) {
    const above = dirname(folder)
    return above === folder ? null : await lookFrom(above)
  }
  try {
    const repository = found.isDirectory() ? wholeAt(folder, mark) : await linkedAt(folder, mark)
    return repository !== null && (await isSound(repository)) ? repository : 'unusable'
  } catch {
    return 'unusable'
  }
}

function wholeAt(top: string, gitDir: string): Repository {
  return { top, gitDir, commonDir: gitDir, mustNameTop: false }
}

/** A linked work tree or a submodule: `.git` is a file that names a folder, and that folder has to name it back. */
async function linkedAt(top: string, mark: string): Promise<Repository | null> {
  const [, path] = /^gitdir: (.+)\n?$/.exec(await readFile(mark, 'utf8')) ?? []
  if (path === undefined) return null
  const gitDir = await realpath(resolve(top, path))
  const common = await textOf(join(gitDir, 'commondir'))
  if (common === null) return { top, gitDir, commonDir: gitDir, mustNameTop: true }
  const commonDir = await realpath(resolve(gitDir, common))
  const back = await textOf(join(gitDir, 'gitdir'))
  const isOfCommon = dirname(dirname(gitDir)) === commonDir
  const namesBack = back !== null && (await realpath(back)) === (await realpath(mark))
  return isOfCommon && namesBack ? { top, gitDir, commonDir, mustNameTop: false } : null
}

/** No path of it is a link, by which it could expose another repository, and all of it belongs to this user. */
async function isSound({ top, gitDir, commonDir }: Repository): Promise<boolean> {
  const folders = [top, gitDir, commonDir, join(commonDir, 'objects'), join(commonDir, 'refs')]
  const files = [join(gitDir, 'HEAD'), join(gitDir, 'index'), join(commonDir, 'packed-refs')]
  const [ofFolders, ofFiles] = await Promise.all([
    Promise.all(folders.map((path) => lstat(path))),
    Promise.all(files.map((path) => lstat(path).catch(() => null))),
  ])
  // In that format HEAD and refs are stored elsewhere.
  const hasOtherRefs = (await lstat(join(commonDir, 'reftable')).catch(() => null)) !== null
  const user = process.getuid?.()
  const isOwn = ofFolders.every(({ uid }) => user === undefined || uid === user)
  const areFiles = ofFiles.every((found, at) => (found === null ? at > 0 : found.isFile()))
  return !hasOtherRefs && isOwn && areFiles && ofFolders.every((found) => found.isDirectory())
}

async function textOf(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text?.trimEnd() ?? null
}
