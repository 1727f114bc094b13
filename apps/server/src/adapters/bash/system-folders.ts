import { lstatSync, readlinkSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { isInside } from '../workspaces.ts'
import { realPathOf } from './secret-places.ts'

/** Programs and their libraries. */
const PROGRAMS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix',
  '/gnu',
  '/snap',
]

/** What programs need to start and to know names, time and types: nothing in it is secret. */
const SETTINGS = [
  'alternatives',
  'group',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'terminfo',
  'timezone',
].map((name) => `/etc/${name}`)

/** Arguments that build a root with the programs of the system and nothing else, and the folders of `path` outside of it. */
export function systemRoot(path: string, isCovered: (folder: string) => boolean): string[] {
  return [
    ...PROGRAMS.flatMap(readOnly),
    ...SETTINGS.flatMap(readOnly),
    ...searchedElsewhere(path, isCovered).flatMap(readOnly),
  ]
}

function readOnly(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isSymbolicLink()) return ['--ro-bind', path, path]
  // As `/bin` leads to `usr/bin`. One that leads out of the system is bound as what it leads to.
  const real = realPathOf(path)
  if (real === null) return []
  return PROGRAMS.some((folder) => isInside(folder, real))
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', real, path]
}

/** Folders of programs that are none of the system's: those of a version manager in a home folder. */
function searchedElsewhere(path: string, isCovered: (folder: string) => boolean): string[] {
  const folders = new Set(path.split(delimiter).filter((folder) => folder !== ''))
  return [...folders].filter((folder) => {
    const real = realPathOf(folder)
    if (real === null || PROGRAMS.some((system) => isInside(system, folder))) return false
    // The root of the disk, or a home folder itself, is none.
    return dirname(real) !== '/' && dirname(dirname(real)) !== '/' && !isCovered(real)
  })
}
