import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import type { WorkspaceFiles } from '@palimpsest/core/ports'
import { isInside, isOfKernel } from './workspaces.ts'

/** Bytes of the largest file that is read. */
const MAX_BYTES = 10 * 1024 * 1024

/** Never blocks on a pipe, never takes a controlling terminal, and follows no link at the end of the path. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW

/**
 * Files of the disk, confined to a workspace's root, a real path. Links may point to places inside it. An open file is
 * checked again, so that a link that is swapped in meanwhile is not followed.
 */
export const workspaceFiles: WorkspaceFiles = {
  async readText(root, path, { offset, limit }) {
    const text = await readWhole(root, path)
    return { text: text.slice(offset, offset + limit), totalCharacters: text.length }
  },
}

async function readWhole(root: string, path: string): Promise<string> {
  try {
    const target = await realpath(resolve(root, path))
    assertInside(root, target, path)
    // Opening some devices has side effects, so only regular files are opened.
    if (!(await stat(target)).isFile()) throw unreadable(path, 'is not a file')
    await using file = await open(target, FLAGS)
    assertInside(root, await pathOf(file, target), path)
    return await decode(file, path)
  } catch (error) {
    if (error instanceof AppError) throw error
    const isThere = !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
    throw unreadable(path, isThere ? 'cannot be read' : 'does not exist', error)
  }
}

/** The real path of an open file. Where the system does not give it, that of its name, if it is still the same file. */
async function pathOf(file: FileHandle, target: string): Promise<string> {
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${file.fd}`)
  const real = await realpath(target)
  const [opened, named] = await Promise.all([file.stat(), stat(real)])
  if (opened.dev !== named.dev || opened.ino !== named.ino) throw new Error('The file was replaced meanwhile')
  return real
}

function assertInside(root: string, real: string, path: string): void {
  if (!isInside(root, real) || isOfKernel(real)) throw unreadable(path, 'is outside of the workspace')
}

async function decode(file: FileHandle, path: string): Promise<string> {
  const found = await file.stat()
  if (!found.isFile()) throw unreadable(path, 'is not a file')
  if (found.size > MAX_BYTES) throw unreadable(path, 'is larger than 10 MB')
  const { bytesRead, buffer } = await file.read(Buffer.alloc(found.size), 0, found.size, 0)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead))
  } catch (error) {
    throw unreadable(path, 'is not text', error)
  }
}

function unreadable(path: string, why: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', `${path} ${why}.`, { field: 'path', cause })
}
