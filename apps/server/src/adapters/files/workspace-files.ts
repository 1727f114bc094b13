import { lstat, readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { WorkspaceFiles } from '@palimpsest/core/ports'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import {
  type Area,
  hasCode,
  openFile,
  openFolder,
  openFound,
  pathInto,
  pathOf,
  realPathIn,
  statOf,
} from './open-inside.ts'
import { readOpened } from './read-file.ts'
import { globFiles, grepFiles } from './search-files.ts'
import { writeInside } from './write-file.ts'

/**
 * Files of the disk, confined to a workspace's root, a real path, and without the server's own places. Links may point to places
 * inside the root. What a running command may have made by a protected name (`isMade`) is not there.
 */
export function createWorkspaceFiles(
  places: ProtectedPlaces,
  isMade: (path: string) => boolean = () => false,
): WorkspaceFiles {
  const areaOf = (root: string): Area => ({ root, places, isMade })
  return {
    async locate(root, path) {
      return pathIn(root, await realPathIn(areaOf(root), path))
    },

    async exists(root, path) {
      const named = resolve(root, path)
      if (places.covers(named) || isMade(named)) return false
      try {
        await lstat(named)
        return true
      } catch (error) {
        return !hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')
      }
    },

    async list(root, path, limit) {
      const area = areaOf(root)
      return await listFolder(area, await realPathIn(area, path), path, limit)
    },

    async find(root, path, limit) {
      const area = areaOf(root)
      const real = await realPathIn(area, path)
      const found = await statOf(real)
      const place = { path: pathIn(root, real) }
      if (found?.isDirectory()) {
        const listed = await listFolder(area, real, path, limit)
        return listed === null ? null : { type: 'folder', ...place, ...listed }
      }
      await using file = await openFound(found, area, real, path)
      return file === null ? null : { type: 'file', ...place, bytes: await readOpened(file, path) }
    },

    async read(root, path) {
      const area = areaOf(root)
      await using file = await openFile(area, await realPathIn(area, path), path)
      return file === null ? null : await readOpened(file, path)
    },

    write: (root, path, bytes, expected) => writeInside(areaOf(root), path, bytes, expected),
    glob: (root, query, signal) => globFiles(areaOf(root), query, signal),
    grep: (root, query, signal) => grepFiles(areaOf(root), query, signal),
  }
}

function pathIn(root: string, real: string): string {
  return relative(root, real).split(sep).join('/') || '.'
}

async function listFolder(area: Area, real: string, path: string, limit: number) {
  await using folder = await openFolder(area, real, path)
  if (folder === null) return null
  const is = await pathOf(folder, real)
  const entries = await readdir(pathInto(folder, real), { withFileTypes: true })
  const names = entries
    .filter(({ name }) => !area.places.covers(join(is, name)))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted()
  return { names: names.slice(0, limit), total: names.length }
}
