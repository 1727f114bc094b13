import { lstat, readdir } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import type { WorkspaceFiles } from '@palimpsest/core/ports'
import { hasCode, openFile, openFolder, openFound, pathInto, realPathIn, statOf } from './open-inside.ts'
import { readOpened } from './read-file.ts'
import { globFiles, grepFiles } from './search-files.ts'
import { writeInside } from './write-file.ts'

/** Files of the disk, confined to a workspace's root, a real path. Links may point to places inside it. */
export const workspaceFiles: WorkspaceFiles = {
  async locate(root, path) {
    return pathIn(root, await realPathIn(root, path))
  },

  async exists(root, path) {
    try {
      await lstat(resolve(root, path))
      return true
    } catch (error) {
      return !hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')
    }
  },

  async list(root, path, limit) {
    return await listFolder(root, await realPathIn(root, path), path, limit)
  },

  async find(root, path, limit) {
    const real = await realPathIn(root, path)
    const found = await statOf(real)
    const place = { path: pathIn(root, real) }
    if (found?.isDirectory()) {
      const listed = await listFolder(root, real, path, limit)
      return listed === null ? null : { type: 'folder', ...place, ...listed }
    }
    await using file = await openFound(found, root, real, path)
    return file === null ? null : { type: 'file', ...place, bytes: await readOpened(file, path) }
  },

  async read(root, path) {
    await using file = await openFile(root, await realPathIn(root, path), path)
    return file === null ? null : await readOpened(file, path)
  },

  write: writeInside,
  glob: globFiles,
  grep: grepFiles,
}

function pathIn(root: string, real: string): string {
  return relative(root, real).split(sep).join('/') || '.'
}

async function listFolder(root: string, real: string, path: string, limit: number) {
  await using folder = await openFolder(root, real, path)
  if (folder === null) return null
  const entries = await readdir(pathInto(folder, real), { withFileTypes: true })
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted()
  return { names: names.slice(0, limit), total: names.length }
}
