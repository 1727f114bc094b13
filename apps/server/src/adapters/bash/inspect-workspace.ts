import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { WorkspaceFacts, WorkspaceReach } from '@palimpsest/core/ports'
import { startsPrograms } from '../git/starts-programs.ts'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { type Area, findLinksOutside, findMisread } from './links-outside.ts'

/** What counts as outside although it is in a workspace, and whether commands run where they cannot see it. */
export type Guard = { places: ProtectedPlaces; isBoxed(): boolean }

/** What a decision about a command has to know of the disk. */
export async function inspectWorkspace(
  root: string,
  reach: WorkspaceReach,
  { places, isBoxed }: Guard,
): Promise<WorkspaceFacts> {
  const area: Area = { root, places, boxed: isBoxed() }
  const { outside, matched } = await findLinksOutside(area, reach)
  const misread = outside === null ? await findMisread(area, reach) : null
  const found = { outside, matched, misread }
  if (outside !== null || reach.gitFolders.length === 0) return { ...found, gitStartsPrograms: false }
  const folders = reach.gitFolders.map((path) => (isAbsolute(path) ? path : `${root}/${path}`))
  // A folder that is missing is one that `cd` does not reach.
  const real = await Promise.all(folders.map((path) => realpath(path).catch(() => root)))
  return { ...found, gitStartsPrograms: await startsPrograms(real) }
}
