import { AppError } from '../domain/errors.ts'
import type { WorkspaceFiles } from '../ports/index.ts'
import type { SourceWarning } from './read-text.ts'
import { type Place, pathIn } from './source-folders.ts'

/** How far below a folder is looked, and folders and names that one scan reads. */
const MAX_DEPTH = 6
const MAX_FOLDERS = 2_000
const MAX_NAMES = 2_000

const SKIPPED: ReadonlySet<string> = new Set(['.git/', 'node_modules/'])

/** The bound that several scans share. */
export type ScanBudget = { folders: number }

export function newScanBudget(): ScanBudget {
  return { folders: MAX_FOLDERS }
}

type Listed = { files: string[]; folders: string[] }

/** The files and folders of a folder, in order of their names; null when there is none. A link inside it is neither. */
export async function listFolder(
  files: Pick<WorkspaceFiles, 'list'>,
  { root, path }: Place,
  warnings: SourceWarning[],
): Promise<Listed | null> {
  try {
    const listed = await files.list(root, path, MAX_NAMES)
    if (listed === null) return null
    if (listed.total > MAX_NAMES)
      warnings.push({ path, text: `The folder has over ${MAX_NAMES} names: the others are left out.` })
    return {
      files: listed.names.filter((name) => !name.endsWith('/')),
      folders: listed.names.filter((name) => name.endsWith('/') && !SKIPPED.has(name)),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    warnings.push({ path, text: error.message })
    return null
  }
}

/**
 * The folders that hold a file of this name, at most six levels below `place`, the nearest first. What is below such a folder is not
 * searched. Ends with a warning once the budget of folders is spent.
 */
export async function findFolders(
  files: Pick<WorkspaceFiles, 'list'>,
  place: Place,
  name: string,
  { budget, warnings }: { budget: ScanBudget; warnings: SourceWarning[] },
): Promise<string[]> {
  const found: string[] = []
  let level = [place.path]
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: string[] = []
    for (const path of level) {
      if (budget.folders === 0) {
        warnings.push({ path: place.path, text: `Over ${MAX_FOLDERS} folders: the others are not searched.` })
        return found
      }
      budget.folders -= 1
      const listed = await listFolder(files, { root: place.root, path }, warnings)
      if (listed?.files.includes(name)) found.push(path)
      else below.push(...(listed?.folders ?? []).map((folder) => pathIn(path, folder.slice(0, -1))))
    }
    level = below
  }
  if (level.length > 0)
    warnings.push({ path: place.path, text: `What is more than ${MAX_DEPTH} folders deep is not searched.` })
  return found
}
