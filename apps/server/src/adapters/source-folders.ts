import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CoreSettings } from '@palimpsest/core'
import { AppError } from '@palimpsest/core/domain'

/** The folder in a person's home that several agents share. */
const OWN_FOLDER = '.agents'

/** Skills that come with the product. */
const BUNDLED = join(import.meta.dirname, '../../skills')

type NamedFolders = {
  /** The person's own folder; without one `.agents` in their home. */
  own: string | undefined
  /** More folders of skills, as the configuration names them. */
  skills: readonly string[]
}

/**
 * Finds the folders of skills and of the person's own files. The own folder may be missing; a folder of the configuration that does not
 * exist is `INVALID_INPUT` with its field.
 */
export async function openSourceFolders({
  own,
  skills,
}: NamedFolders): Promise<NonNullable<CoreSettings['sources']>> {
  return {
    own: await realFolder(own ?? join(homedir(), OWN_FOLDER)),
    bundled: await realFolder(BUNDLED),
    skills: await Promise.all(skills.map(configuredFolder)),
  }
}

async function configuredFolder(path: string, index: number): Promise<string> {
  const real = await realFolder(path)
  if (real !== null) return real
  const field = `skills.${index}`
  throw new AppError('INVALID_INPUT', `${field} names ${path}, which does not exist.`, { field })
}

async function realFolder(path: string): Promise<string | null> {
  return await realpath(resolve(path)).catch(() => null)
}
