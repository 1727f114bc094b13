import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CoreSettings } from '@palimpsest/core'

/** The folder in a person's home that several agents share. */
const OWN_FOLDER = '.agents'

/** Finds the folders of the person's own files. A folder that does not exist is left out. */
export async function openSourceFolders({
  own,
}: {
  own: string | undefined
}): Promise<NonNullable<CoreSettings['sources']>> {
  return { own: await realFolder(own ?? join(homedir(), OWN_FOLDER)), bundled: null, skills: [] }
}

async function realFolder(path: string): Promise<string | null> {
  return await realpath(resolve(path)).catch(() => null)
}
