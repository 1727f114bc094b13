import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { WorkspaceFacts, WorkspaceReach } from '@palimpsest/core/ports'
import { findRepository } from '../git/find-repository.ts'
import { startsPrograms } from '../git/starts-programs.ts'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { isInside } from '../workspaces.ts'
import { type Area, findLinksOutside, findMisread, mayBeOwn } from './links-outside.ts'
import { trackedPlace } from './tracked-places.ts'

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
  const isOwn = outside !== null && !area.boxed && (await mayBeOwn(area, outside, reach))
  const found = { outside, isOwn, matched, misread, tracked: null, linked: null, gitStartsPrograms: false }
  if (outside !== null) return found
  return {
    ...found,
    gitStartsPrograms: await startsPrograms(await realFolders(root, reach.gitFolders)),
    tracked: await trackedPlace(await realFolders(root, reach.gitPrints), places),
    linked: readsFiles(reach) ? await linkedIn(await foldersRead(root, reach), places) : null,
  }
}

/** The folder, and the work trees around it of which git prints contents. */
async function foldersRead(root: string, { gitPrints }: WorkspaceReach): Promise<string[]> {
  const found = await Promise.all((await realFolders(root, gitPrints)).map(findRepository))
  const tops = found.flatMap((one) => (one === null || one === 'unusable' ? [] : [one.top]))
  return [root, ...new Set(tops.filter((top) => !isInside(root, top)))]
}

async function linkedIn(folders: readonly string[], places: ProtectedPlaces): Promise<string | null> {
  for (const folder of folders) {
    const name = await places.fileWithOtherName(folder)
    if (name !== null) return name
  }
  return null
}

function readsFiles({ reads, globs, trees, walks, gitPrints }: WorkspaceReach): boolean {
  return [reads, globs, trees, walks, gitPrints].some((paths) => paths.length > 0)
}

/** A folder that is missing is one that `cd` does not reach. */
async function realFolders(root: string, folders: readonly string[]): Promise<string[]> {
  const paths = folders.map((path) => (isAbsolute(path) ? path : `${root}/${path}`))
  return await Promise.all(paths.map((path) => realpath(path).catch(() => root)))
}
