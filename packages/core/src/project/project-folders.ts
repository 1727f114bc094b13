import { AppError } from '../domain/errors.ts'
import type { WorkspaceFiles } from '../ports/index.ts'
import type { SourceFolder } from './skills.ts'
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
    ...(bundled === null ? [] : [whole(bundled, 'bundled', 'bundled skills')]),
    ...skills.map((root) => whole(root, 'configured', root)),
  ]
}

function whole(root: string, source: 'bundled' | 'configured', shown: string): SourceFolder {
  return { root, path: '.', source, shown }
}

/** The folders without those that are links to an earlier one, such as `.claude/skills` to `.agents/skills`. */
export async function withoutLinks(
  files: Pick<WorkspaceFiles, 'locate'>,
  folders: readonly SourceFolder[],
): Promise<SourceFolder[]> {
  const places = await Promise.all(folders.map((folder) => locate(files, folder)))
  return folders.filter((_, index) => places.indexOf(places[index] ?? '') === index)
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
