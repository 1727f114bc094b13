import type { Workspaces } from '../ports/index.ts'

/** Folders that the operator names, beside those of workspaces. */
export type SourceFolders = {
  /** Real path of the folder with the person's own instructions, skills, agents and commands; null without one. */
  own: string | null
  /** Real path of the folder of skills that come with the product; null without one. */
  bundled: string | null
  /** Real paths of more folders of skills. */
  skills: readonly string[]
}

export const NO_SOURCES: SourceFolders = { own: null, bundled: null, skills: [] }

/** A folder of files: `path` inside of `root`, with `/` between names, `.` for the root itself. Nothing outside of the root is read. */
export type Place = { root: string; path: string }

/** Folders between an allowed one and the workspace, both included; of more the nearest count. */
const MAX_LEVELS = 32

/**
 * The folders from the outermost allowed one that holds the workspace down to the workspace itself. `root` is a real path inside of
 * one of the allowed folders.
 */
export function levelsOf(root: string, { folders, demo }: Pick<Workspaces, 'folders' | 'demo'>): Place[] {
  // What lies around the folder of the demo is no project of its sessions.
  if (demo !== null && namesBelow(demo.root, root) !== null) return [{ root, path: '.' }]
  const outermost = folders
    .filter((folder) => namesBelow(folder, root) !== null)
    .reduce((shortest, folder) => (folder.length < shortest.length ? folder : shortest), root)
  const names = namesBelow(outermost, root) ?? []
  const levels = [[], ...names.map((_, index) => names.slice(0, index + 1))]
  return levels.slice(-MAX_LEVELS).map((level) => ({ root: outermost, path: level.join('/') || '.' }))
}

/** The names that lead from a folder to a path inside of it; null for a path outside. */
function namesBelow(folder: string, path: string): string[] | null {
  const separator = folder.includes('\\') ? '\\' : '/'
  const start = folder.endsWith(separator) ? folder : `${folder}${separator}`
  if (path === folder) return []
  return path.startsWith(start) ? path.slice(start.length).split(separator) : null
}

/** The path of a name in a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}
