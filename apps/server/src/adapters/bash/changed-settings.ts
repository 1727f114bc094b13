import { lstatSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { isInside } from '../workspaces.ts'
import { markOf } from './git-folders.ts'
import { realPathOf } from './secret-places.ts'

/** What is at the paths of files that the server reads when it starts, by these paths. */
export type Settings = ReadonlyMap<string, string>

/** The settings that a command in this workspace could make or replace: those that are absent, or lead elsewhere by a link. */
export function settingsBefore(root: string, paths: readonly string[]): Settings {
  const found = paths.flatMap((path) => {
    const real = realNameOf(path)
    const isLink = lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() === true
    const mayBeMade = isLink || real !== path || markOf(real) === ''
    return mayBeMade && [path, real].some((at) => isInside(root, at)) ? [[path, markOf(real)] as const] : []
  })
  return new Map(found)
}

/** The paths in the workspace by which these settings are there now, and were not before. */
export function changedSettings(root: string, before: Settings): string[] {
  return [...before].flatMap(([path, key]) => {
    const real = realNameOf(path)
    const now = markOf(real)
    if (now === '' || now === key) return []
    return isInside(root, real) ? [real] : firstLinkIn(root, path)
  })
}

/** A path whose folder is real; the path itself where that folder is missing. */
export function realNameOf(path: string): string {
  const folder = realPathOf(dirname(path))
  return folder === null ? path : join(folder, basename(path))
}

/** The outermost link of a path in the workspace, which leads out of it. */
function firstLinkIn(root: string, path: string): string[] {
  if (!isInside(root, path)) return []
  const steps = relative(root, path).split('/')
  const paths = steps.map((_, at) => join(root, ...steps.slice(0, at + 1)))
  const link = paths.find((at) => lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
  return link === undefined ? [] : [link]
}
