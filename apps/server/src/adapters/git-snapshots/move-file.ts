import { createHash, randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError, type FileState, sameState } from '@palimpsest/core/domain'
import { FILE_BYTES, type FileMove, type FoundFile, type MovedFile } from '@palimpsest/core/ports'
import { type Area, hasCode, openFolder, pathInto } from '../files/open-inside.ts'
import { makeFolder } from '../files/write-file.ts'
import type { Contents } from './contents.ts'

/** Where a test stops a move, or saves a file in the middle of it. */
export type MoveStep = 'looked' | 'written' | 'aside' | 'placed' | 'removed'

export type MoveOptions = {
  contents: Pick<Contents, 'keep'>
  read(id: string): Promise<Uint8Array | null>
  onStep?: ((step: MoveStep, path: string) => Promise<void>) | undefined
}

/** Names of our own files beside those that are moved. */
const OWN_NAME = '.palimpsest-'
/** Times that a file is looked at again when somebody else moves it meanwhile. */
const MAX_TRIES = 5

/** Keeps what is at a path. Nothing is read through a link, neither at the path nor above it. */
export async function lookAt(area: Area, path: string, contents: Pick<Contents, 'keep'>): Promise<FoundFile> {
  const folder = await folderOf(area, path)
  if (folder === 'none') return NOTHING
  if (folder === 'blocked') return BLOCKED
  await using opened = folder
  return await lookIn(join(pathInto(opened, dirname(join(area.root, path))), basename(path)), contents)
}

const NOTHING: FoundFile = { type: 'file', state: null }
const BLOCKED: FoundFile = { type: 'blocked', reason: 'folder' }

/**
 * Takes a file from one state to another. What is there is moved aside before anything takes its place, and looked at once more: a
 * version that somebody saves at any moment is either kept, or stays where it is.
 */
export async function moveFile(area: Area, move: FileMove, options: MoveOptions): Promise<MovedFile> {
  const { path, from, to } = move
  const first = await lookAt(area, path, options.contents)
  await options.onStep?.('looked', path)
  if (first.type === 'file' && sameState(first.state, to)) return { type: 'done', others: [] }
  if (first.type === 'blocked' || !sameState(first.state, from)) return changed(first)
  await using folder = await openedFolder(area, path, to !== null)
  if (folder === null) return changed(NOTHING)
  const into = pathInto(folder, dirname(join(area.root, path)))
  const target = join(into, basename(path))
  const made = to === null ? null : await writeBeside(into, target, to, options)
  await options.onStep?.('written', path)
  try {
    const moved = await exchange({ target, aside: join(into, asideName(path)), made }, move, options)
    if (to === null && moved.type === 'done') await removeEmptied(area.root, dirname(path))
    return moved
  } finally {
    if (made !== null) await unlink(made).catch(() => undefined)
  }
}

function changed(found: FoundFile, others: FileState[] = []): MovedFile {
  return { type: 'changed', found, others }
}

type MovePaths = { target: string; aside: string; made: string | null }

/** Takes the old file away and gives the new one its name. */
async function exchange(
  { target, aside, made }: MovePaths,
  { path, from, to }: FileMove,
  options: MoveOptions,
): Promise<MovedFile> {
  const { contents, onStep } = options
  if (from !== null) {
    const taken = await takeAside(target, aside)
    await onStep?.('aside', path)
    if (!taken) return changed(NOTHING)
    const moved = await lookIn(aside, contents)
    if (moved.type === 'blocked' || !sameState(moved.state, from)) {
      const others = await putBack(aside, target, moved)
      return changed(await lookIn(target, contents), others)
    }
  }
  const placed = to === null || (await place(made, target, to, options))
  await onStep?.('placed', path)
  const others = from === null ? [] : await dropAside(aside, from, contents)
  await onStep?.('removed', path)
  return placed ? { type: 'done', others } : changed(await lookIn(target, contents), others)
}

/** Removes the file aside. Returns what somebody has written into it meanwhile. */
async function dropAside(
  aside: string,
  from: FileState,
  contents: MoveOptions['contents'],
): Promise<FileState[]> {
  const late = await lookIn(aside, contents)
  await unlink(aside)
  return late.type === 'file' && late.state !== null && !sameState(late.state, from) ? [late.state] : []
}

/** What an end in the middle left beside a path: a file that was moved aside comes back, unless another one is there. */
export async function cleanBeside(
  area: Area,
  path: string,
  contents: Pick<Contents, 'keep'>,
): Promise<FileState | null> {
  const folder = await folderOf(area, path)
  if (typeof folder === 'string') return null
  await using opened = folder
  const into = pathInto(opened, dirname(join(area.root, path)))
  const [target, aside] = [join(into, basename(path)), join(into, asideName(path))]
  const found = await lookIn(aside, contents)
  const others = found.type === 'file' && found.state === null ? [] : await putBack(aside, target, found)
  for (const name of await readdir(into)) {
    if (UNFINISHED.test(name)) await unlink(join(into, name)).catch(() => undefined)
  }
  return others[0] ?? null
}

/** Names of files that a write makes before it gives them the name of their target. */
const UNFINISHED = /^\.palimpsest-[0-9a-f]{8}-[0-9a-f-]{27}$/

function asideName(path: string): string {
  return `${OWN_NAME}aside-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`
}

/** Links an aside file back. Where somebody has made another one meanwhile, that stays; the version aside is kept already. */
async function putBack(aside: string, target: string, found: FoundFile): Promise<FileState[]> {
  try {
    await giveName(aside, target)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    // A version that can't be kept stays beside the other one.
    if (found.type === 'blocked') return []
    await unlink(aside)
    return found.state === null ? [] : [found.state]
  }
  await unlink(aside)
  return []
}

/** False when there is nothing by now. */
async function takeAside(target: string, aside: string): Promise<boolean> {
  try {
    await rename(target, aside)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** False when somebody has made another file there meanwhile. */
async function place(
  made: string | null,
  target: string,
  to: FileState,
  options: MoveOptions,
): Promise<boolean> {
  try {
    if (made !== null) await giveName(made, target)
    else await symlink(Buffer.from(await contentOf(to, options)), target)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Gives a file another name that is not taken. Not every file system has links. */
async function giveName(file: string, name: string): Promise<void> {
  try {
    await link(file, name)
  } catch (error) {
    if (!hasAny(error, ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])) throw error
    await copyFile(file, name, constants.COPYFILE_EXCL)
  }
}

/** Writes the new file under a name of its own; null for a link. */
async function writeBeside(
  into: string,
  target: string,
  to: FileState,
  options: MoveOptions,
): Promise<string | null> {
  const bytes = await contentOf(to, options)
  if (to.mode === '120000') return null
  const temporary = join(into, `${OWN_NAME}${randomUUID()}`)
  try {
    const before = await lstat(target).catch(() => null)
    await using file = await open(temporary, 'wx', 0o666)
    await file.writeFile(bytes)
    await file.chmod(modeFor(to, before, await file.stat()))
    return temporary
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

/** The mode of the file that is replaced, or of a new one, which can be executed or not. */
function modeFor({ mode }: FileState, before: Stats | null, made: Stats): number {
  const base = (before?.isFile() ? before.mode : made.mode) & 0o777
  return mode === '100755' ? base | ((base & 0o444) >> 2) : base & ~0o111
}

async function contentOf({ id }: FileState, { read }: MoveOptions): Promise<Uint8Array> {
  const bytes = await read(id)
  if (bytes === null) throw new Error('A content that a row names is not there')
  return bytes
}

async function lookIn(target: string, contents: Pick<Contents, 'keep'>): Promise<FoundFile> {
  for (let left = MAX_TRIES; ; left -= 1) {
    try {
      return await lookOnce(target, contents)
    } catch (error) {
      // Somebody has moved it meanwhile.
      if (hasAny(error, ['ENOENT', 'EINVAL', 'ELOOP']) && left > 0) continue
      if (hasAny(error, ['EACCES', 'EPERM'])) return { type: 'blocked', reason: 'unreadable' }
      throw error
    }
  }
}

async function lookOnce(target: string, contents: Pick<Contents, 'keep'>): Promise<FoundFile> {
  const found = await lstat(target).catch((error: unknown) => {
    if (hasAny(error, ['ENOENT', 'ENOTDIR'])) return null
    throw error
  })
  if (found === null) return NOTHING
  if (found.isSymbolicLink()) {
    const id = await contents.keep(await readlink(target, { encoding: 'buffer' }))
    return { type: 'file', state: { id, mode: '120000' } }
  }
  return found.isFile() ? await lookAtFile(target, contents) : BLOCKED
}

function hasAny(error: unknown, codes: readonly string[]): boolean {
  return codes.some((code) => hasCode(error, code))
}

async function lookAtFile(target: string, contents: Pick<Contents, 'keep'>): Promise<FoundFile> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  await using file = await open(target, flags)
  const { size, mode } = await file.stat()
  if (size > FILE_BYTES) return { type: 'blocked', reason: 'too-large' }
  const bytes = await file.readFile()
  if (bytes.length > FILE_BYTES) return { type: 'blocked', reason: 'too-large' }
  const id = await contents.keep(bytes)
  return { type: 'file', state: { id, mode: (mode & 0o100) === 0 ? '100644' : '100755' } }
}

/** The open folder of a path; `none` when it is missing, `blocked` when a link or a file is in its way. */
async function folderOf(area: Area, path: string): Promise<FileHandle | 'none' | 'blocked'> {
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'blocked'
  if (area.places.covers(join(area.root, path))) return 'blocked'
  for (let depth = 1; depth < names.length; depth++) {
    const found = await lstat(join(area.root, ...names.slice(0, depth))).catch(() => null)
    if (found === null) return 'none'
    if (!found.isDirectory()) return 'blocked'
  }
  try {
    return (await openFolder(area, dirname(join(area.root, path)), path)) ?? 'none'
  } catch (error) {
    if (error instanceof AppError) return 'blocked'
    throw error
  }
}

async function openedFolder(area: Area, path: string, make: boolean): Promise<FileHandle | null> {
  const folder = dirname(join(area.root, path))
  return make ? await makeFolder(area, folder, path) : await openFolder(area, folder, path)
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
