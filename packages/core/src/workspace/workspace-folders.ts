import { AppError } from '../domain/errors.ts'
import type { WorkspaceFiles } from '../ports/index.ts'
import { bundledFolder, type SourceFolder } from './skills.ts'
import { type Place, pathIn, type SourceFolders } from './source-folders.ts'

/**
 * The folders in which skills, agents or commands are searched, in the order in which they count: of the project, the nearest first,
 * then the person's own, the bundled and the configured ones. `kind` is the name of the folder.
 */
export function foldersOf(
  kind: 'skills' | 'agents' | 'commands',
  parents: readonly string[],
  { levels, sources }: { levels: readonly Place[]; sources: SourceFolders },
): SourceFolder[] {
  const project = levels
    .map(({ root, path }, index) => ({ root, path, up: '../'.repeat(levels.length - 1 - index) }))
    .toReversed()
    .flatMap(({ root, path, up }) =>
      parents.map((parent) => ({
        root,
        path: pathIn(path, parent),
        source: 'project' as const,
        shown: `${up}${parent}`,
      })),
    )
  const { own, bundled, skills } = sources
  const ofUser =
    own === null ? [] : [{ root: own, path: kind, source: 'user' as const, shown: `own ${kind}` }]
  if (kind !== 'skills') return [...project, ...ofUser]
  return [
    ...project,
    ...ofUser,
    ...(bundled === null ? [] : [bundledFolder(bundled)]),
    ...skills.map((root) => ({ root, path: '.', source: 'configured' as const, shown: root })),
  ]
}

/** The folders that there may be, without those that are links to an earlier one, such as `.claude/skills` to `.agents/skills`. */
export async function presentFolders(
  files: Pick<WorkspaceFiles, 'exists' | 'locate'>,
  folders: readonly SourceFolder[],
): Promise<SourceFolder[]> {
  const looked = new Map<string, Promise<boolean>>()
  /** Most projects have none of the parents, and a look at each is all that a turn then costs. */
  function hasParent({ root, path }: SourceFolder): Promise<boolean> {
    const parent = path.replace(/\/[^/]*$/, '')
    const key = `${root}\0${parent}`
    const found = looked.get(key) ?? files.exists(root, parent)
    looked.set(key, found)
    return found
  }

  const found = await Promise.all(folders.map(hasParent))
  const present = folders.filter((_, index) => found[index])
  const places = await Promise.all(present.map((folder) => locate(files, folder)))
  return present.filter((_, index) => places.indexOf(places[index] ?? '') === index)
}

/** A name for where a folder is; a folder that cannot be reached is reported once it is listed. */
async function locate(files: Pick<WorkspaceFiles, 'locate'>, { root, path }: SourceFolder): Promise<string> {
  try {
    return `${root}\0${await files.locate(root, path)}`
  } catch (error) {
    if (error instanceof AppError) return `${root}\0${path}`
    throw error
  }
}
