import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import type { WorkspaceFiles } from '@palimpsest/core/ports'

/** Bytes of the largest file that is read. */
const MAX_BYTES = 10 * 1024 * 1024

/** Files of the disk, confined to a workspace's root even through symbolic links. */
export const workspaceFiles: WorkspaceFiles = {
  async readText(root, path, { offset, limit }) {
    const text = await readWhole(await confine(root, path), path)
    return { text: text.slice(offset, offset + limit), totalCharacters: text.length }
  },
}

async function confine(root: string, path: string): Promise<string> {
  try {
    const realRoot = await realpath(root)
    const target = await realpath(resolve(realRoot, path))
    const inside = relative(realRoot, target)
    if (inside === '..' || inside.startsWith('../') || inside.startsWith('..\\') || isAbsolute(inside)) {
      throw unreadable(path, 'is outside of the workspace')
    }
    return target
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unreadable(path, 'does not exist', error)
  }
}

async function readWhole(target: string, path: string): Promise<string> {
  try {
    const found = await stat(target)
    if (!found.isFile()) throw unreadable(path, 'is not a file')
    if (found.size > MAX_BYTES) throw unreadable(path, 'is larger than 10 MB')
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(target))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unreadable(path, error instanceof TypeError ? 'is not text' : 'cannot be read', error)
  }
}

function unreadable(path: string, why: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', `${path} ${why}.`, { field: 'path', cause })
}
