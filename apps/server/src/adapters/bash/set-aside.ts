import { randomUUID } from 'node:crypto'
import { closeSync, fchmodSync, fstatSync, lstatSync } from 'node:fs'
import { lstat, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { hasCode } from '../files/open-inside.ts'
import { namesPrograms } from '../git/starts-programs.ts'
import { changedSettings } from './changed-settings.ts'
import { commonOf, type GitPlace, markOf, targetOf } from './git-folders.ts'
import { openExactly } from './open-folder.ts'
import { type Before, isKnown } from './protected-places.ts'
import { CLOCK_MS, type NamedPlace, scanWorkspace } from './scan-workspace.ts'

const ENDING = '.set-aside'
const MAX_TRIES = 100
/** The rights of a folder's owner. */
const OWNERS = 0o700

/** Sentences about files that were set aside, at most; the others are counted. */
const MAX_SENTENCES = 20
const CUT =
  'There are more new folders than are looked into: look for settings of other programs in them before you use them.'

/**
 * Gives another name to what a command has made, or moved to where it was not before, that other programs would act on by themselves:
 * what has a protected name, and hooks, settings and pointers of repositories. Returns sentences about it.
 */
export async function setAside(root: string, before: Before): Promise<string[]> {
  const { places, named, isCut } = await scanWorkspace(root, before)
  const isMade = madeBy(root, before)
  const made = named.filter(isMade).map(({ path }) => path)
  made.push(...changedSettings(root, before.settings))
  const folders = new Set(places.filter(({ kind }) => kind === 'folder').map(({ path }) => path))
  for (const place of places)
    made.push(...(await actingParts(place, isMade(place), folders, { root, parts: before.parts })))
  const renamed = await Promise.all([...new Set(made)].map((path) => renameAside(root, path)))
  const sentences = renamed.filter((sentence) => sentence !== null)
  const more = sentences.length - MAX_SENTENCES
  return [
    ...sentences.slice(0, MAX_SENTENCES),
    ...(more > 0 ? [`${more} more were renamed in the same way.`] : []),
    ...(isCut && !before.isCut ? [CUT] : []),
  ]
}

/**
 * Whether a place is one that a command has made, or moved there. Of what lies in folders that it left out before, because there were too
 * many, only what has changed since is.
 */
function madeBy(root: string, before: Before): (place: NamedPlace) => boolean {
  const keys = new Set(before.known.values())
  return (place) => {
    if (isKnown(place, root, before)) return false
    if (!before.isCut || keys.has(place.key)) return true
    const found = lstatSync(place.path, { throwIfNoEntry: false })
    const isLeftOut = !before.folders.has(relative(root, dirname(place.path)))
    return !isLeftOut || found === undefined || found.ctimeMs >= before.at - CLOCK_MS
  }
}

/** The files of a place, made by the command, by which git would start something. */
async function actingParts(
  { kind, path, key }: GitPlace,
  isNew: boolean,
  folders: ReadonlySet<string>,
  { root, parts }: Pick<Before, 'parts'> & { root: string },
): Promise<string[]> {
  if (kind === 'pointer') {
    const target = isNew ? await targetOf({ kind, path, key }) : null
    return target === null || folders.has(target) ? [] : [path]
  }
  const pointer = join(path, 'commondir')
  const common = isAsBefore(pointer, root, parts) ? null : await commonOf(path)
  // Only a linked work tree shares the folder of another repository.
  const isShared = common !== null && folders.has(common) && dirname(path).endsWith('/worktrees')
  const redirect = common === null || isShared ? [] : [pointer]
  const hooks = isNew ? await actingHooks(join(path, 'hooks')) : []
  return [...redirect, ...hooks, ...(await actingSettings(path, root, parts))]
}

async function actingHooks(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const acting = names.filter((name) => !name.endsWith('.sample') && !name.endsWith(ENDING))
  return acting.map((name) => join(folder, name))
}

/** Settings that a command could write, and that name programs. */
async function actingSettings(folder: string, root: string, parts: Before['parts']): Promise<string[]> {
  const files = ['config', 'config.worktree'].map((name) => join(folder, name))
  const named = await Promise.all(
    files.map(async (file) => !isAsBefore(file, root, parts) && (await namesPrograms(file))),
  )
  return files.filter((_, at) => named[at])
}

/** Whether what is at a path is what a command found there, and so could not replace. */
function isAsBefore(path: string, root: string, parts: Before['parts']): boolean {
  const key = parts.get(relative(root, path))
  return key !== undefined && key === markOf(path)
}

/** Gives what is at a path another name. Returns a sentence about it; null when it is not there. */
export async function renameAside(root: string, path: string): Promise<string | null> {
  let folder: number
  try {
    folder = openExactly(dirname(path))
  } catch {
    // Another command has replaced a folder of the path by a link meanwhile.
    return null
  }
  try {
    const at = (name: string) => join(`/proc/self/fd/${folder}`, name)
    const aside = await freeName(basename(path), at)
    await whileWritable(folder, () => rename(at(basename(path)), at(aside)))
    return `${relative(root, path)} is now ${aside}: commands neither make nor move what other programs act on by themselves.`
  } catch (error) {
    // Another command was first.
    if (hasCode(error, 'ENOENT')) return null
    return `${relative(root, path)} could not be renamed. Other programs act on it by themselves: look at it first.`
  } finally {
    closeSync(folder)
  }
}

async function freeName(name: string, at: (name: string) => string): Promise<string> {
  for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
    const aside = `${name}${tried === 1 ? '' : `-${tried}`}${ENDING}`
    if ((await lstat(at(aside)).catch(() => null)) === null) return aside
  }
  return `${name}-${randomUUID()}${ENDING}`
}

/** A command can take from its own folder the right to rename in it. */
async function whileWritable(folder: number, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!hasCode(error, 'EACCES')) throw error
    const { mode } = fstatSync(folder)
    fchmodSync(folder, mode | OWNERS)
    await act().finally(() => fchmodSync(folder, mode))
  }
}
