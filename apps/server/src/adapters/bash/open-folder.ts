import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { AppError } from '@palimpsest/core/domain'

const MOVED =
  'The folder of this chat is gone, or its path leads elsewhere now, so nothing was started there.'

/**
 * Opens a folder by its real path. What is done by the descriptor is done in that folder, whatever its path leads to later. Fails
 * with `CONFLICT` when the path is not a real one any more: a part of it was replaced by a link.
 */
export function openFolder(path: string): number {
  try {
    return openExactly(path, constants.O_DIRECTORY)
  } catch (error) {
    throw new AppError('CONFLICT', MOVED, { cause: error })
  }
}

/** Where an opened folder is now; null when it was removed. */
export function whereIs(descriptor: number): string | null {
  const path = readlinkSync(`/proc/self/fd/${descriptor}`)
  return path.endsWith(' (deleted)') ? null : path
}

/** Opens a file or folder that has this real path. Throws when it is a link, or a link leads to it. */
export function openExactly(path: string, flags = 0): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | flags)
  // Only Linux says where an opened folder is.
  if (process.platform !== 'linux') return descriptor
  const real = readlinkSync(`/proc/self/fd/${descriptor}`)
  if (real === path) return descriptor
  closeSync(descriptor)
  throw new Error('A link leads to it')
}
