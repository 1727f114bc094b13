import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { isInside, isOfKernel } from '../workspaces.ts'

/** Never blocks on a pipe, never takes a controlling terminal, and follows no link at the end of the path. */
const SAFELY = constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW

/** Names that may be missing at the end of a path. */
const MAX_MISSING = 64

/**
 * Where files are found: in a root, a real path, but for the server's own places, and for what a running command has made that the
 * server or other programs act on.
 */
export type Area = { root: string; places: ProtectedPlaces; isMade(path: string): boolean }

/**
 * The real path of what is there, or would be made there. `INVALID_INPUT` for what is outside of the area. What is opened later is
 * checked again: a link may change in between.
 */
export async function realPathIn(area: Area, path: string): Promise<string> {
  if (path.includes('\0')) throw refused(path, 'is no path')
  const missing: string[] = []
  let existing = resolve(area.root, path)
  // A link that the command has made leads to a place that looks like any other.
  if (area.isMade(existing)) throw refused(path, MADE)
  while (missing.length <= MAX_MISSING) {
    const found = await realpath(existing).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw refused(path, 'cannot be reached', error)
      return null
    })
    if (found !== null) {
      const real = join(found, ...missing)
      assertInside(area, real, path)
      return real
    }
    // What is written to a link that leads nowhere would be made wherever it points.
    if ((await lstat(existing).catch(() => null)) !== null)
      throw refused(path, 'is a link that leads nowhere')
    missing.unshift(basename(existing))
    existing = dirname(existing)
  }
  throw refused(path, 'is in too many folders that do not exist')
}

/** What is at a real path; null for nothing. */
export async function statOf(real: string): Promise<Stats | null> {
  return await lstat(real).catch(() => null)
}

/** Opens a regular file for reading, by its real path; null when there is none. */
export async function openFile(area: Area, real: string, path: string): Promise<FileHandle | null> {
  return await openFound(await statOf(real), area, real, path)
}

/** The same for what was found there a moment ago. */
export async function openFound(
  found: Stats | null,
  area: Area,
  real: string,
  path: string,
): Promise<FileHandle | null> {
  if (found === null) return null
  // Opening some devices has side effects, so only regular files are opened.
  if (!found.isFile()) throw refused(path, 'is not a file')
  const file = await open(real, constants.O_RDONLY | SAFELY).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw refused(path, 'cannot be read', error)
  })
  if (file === null) return null
  return await verified(file, area, real, path)
}

/** Opens a folder by its real path; null when there is none, or it is no folder. */
export async function openFolder(area: Area, real: string, path: string): Promise<FileHandle | null> {
  const folder = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | SAFELY).catch(
    (error: unknown) => {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP')) return null
      throw refused(path, 'cannot be reached', error)
    },
  )
  return folder === null ? null : await verified(folder, area, real, path)
}

/** A path that leads into an open folder, wherever its name leads by now; only Linux has one. */
export function pathInto(folder: FileHandle, real: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : real
}

async function verified(opened: FileHandle, area: Area, real: string, path: string): Promise<FileHandle> {
  try {
    const [is, found] = await Promise.all([pathOf(opened, real), opened.stat()])
    assertInside(area, is, path)
    await assertNotLinked(area, found, path)
    return opened
  } catch (error) {
    await opened.close()
    throw error instanceof AppError ? error : refused(path, 'cannot be read', error)
  }
}

/** The real path of what is open. Where the system does not give it, that of its name, if it is still the same. */
export async function pathOf(opened: FileHandle, real: string): Promise<string> {
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${opened.fd}`)
  const named = await realpath(real)
  const [mine, found] = await Promise.all([opened.stat(), stat(named)])
  if (mine.dev !== found.dev || mine.ino !== found.ino) throw new Error('The file was replaced meanwhile')
  return named
}

export function assertInside({ root, places, isMade }: Area, real: string, path: string): void {
  if (!isInside(root, real) || isOfKernel(real)) throw refused(path, 'is outside of the workspace')
  if (places.covers(real)) throw refused(path, OWN)
  if (isMade(real)) throw refused(path, MADE)
}

/** Refuses a file of the server that has a second name in the workspace. */
export async function assertNotLinked({ places }: Area, found: Stats, path: string): Promise<void> {
  if (found.isFile() && (await places.isLinkedTo(found))) throw refused(path, OWN)
}

const OWN = 'belongs to this server: its data, keys and configuration are part of no workspace'

const MADE =
  'appeared while a command runs, has a name that other programs act on by themselves, and is not read before the command has ended'

export function refused(path: string, why: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', `${path} ${why}.`, { field: 'path', cause })
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
