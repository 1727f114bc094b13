import type { Workspaces } from '../ports/index.ts'

/** Allows these folders and every path below one, without looking at a disk. */
export function createMemoryWorkspaces(folders: readonly string[] = ['/workspace']): Workspaces {
  const isAllowed = (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`)) && !path.includes('/../')
  return { folders, resolve: (path) => Promise.resolve(isAllowed(path) ? path : null) }
}
