import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import type { DemoFolder, Workspaces } from '@palimpsest/core/ports'

/** A folder and the setting that names it; `field` null when nobody set it. */
export type NamedFolder = { path: string; field: string | null }

/** Kernel folders: their files expose processes and devices, secrets of the server among them. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev']

/** `hasDefault`: sessions that name no folder work in the first one. */
export type WorkspaceOptions = { hasDefault?: boolean; demo?: DemoFolder | null }

/**
 * Resolves the folders that the operator allows. Fails with `INVALID_INPUT` that names the setting: for a folder that does not
 * exist, for one of the kernel, and for the whole disk when no setting names it.
 */
export async function openWorkspaces(
  named: readonly NamedFolder[],
  { hasDefault = true, demo = null }: WorkspaceOptions = {},
): Promise<Workspaces> {
  const folders = await Promise.all(named.map(folderOf))
  const allowed = demo === null ? folders : [...folders, demo.root]
  return {
    folders: [...new Set(folders)],
    defaultFolder: hasDefault ? (folders[0] ?? null) : null,
    demo,
    async resolve(path) {
      if (!isAbsolute(path) || path.includes('\0')) return null
      const real = await realFolder(path)
      if (real === null || isOfKernel(real)) return null
      return allowed.some((folder) => isInside(folder, real)) ? real : null
    },
  }
}

/** Whether a path is `folder` or below it; both are real paths. */
export function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path)
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** Whether a real path belongs to the kernel. */
export function isOfKernel(path: string): boolean {
  return KERNEL_FOLDERS.some((folder) => isInside(folder, path))
}

async function folderOf({ path, field }: NamedFolder): Promise<string> {
  const real = await realFolder(resolve(path))
  if (real === null) throw refused(field, `names ${path}, which is not a folder`)
  if (isOfKernel(real)) throw refused(field, `names ${real}, which holds no files of people`)
  if (real === resolve('/') && field === null) {
    throw refused(
      'PALIMPSEST_WORKSPACE',
      'is not set, and the server starts in the root of the disk, which would let tools read all of it. Set it to a folder, or start elsewhere',
    )
  }
  return real
}

async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : null
  } catch {
    return null
  }
}

function refused(field: string | null, why: string): AppError {
  const name = field ?? 'The folder where the server starts'
  return new AppError('INVALID_INPUT', `${name} ${why}.`, { field: field ?? 'PALIMPSEST_WORKSPACE' })
}
