import type { DemoFolder, Workspaces } from '@palimpsest/core/ports'

/** Allows these folders and every path below one, without looking at a disk. The first is the default of new sessions. */
export function createMemoryWorkspaces(
  folders: readonly string[] = ['/workspace'],
  {
    defaultFolder = folders[0] ?? null,
    demo = null,
  }: Partial<Pick<Workspaces, 'defaultFolder' | 'demo'>> = {},
): Workspaces {
  const allowed = demo === null ? folders : [...folders, demo.root]
  const isAllowed = (path: string) =>
    allowed.some((folder) => path === folder || path.startsWith(`${folder}/`)) && !path.includes('/../')
  return {
    folders,
    defaultFolder,
    demo,
    resolve: (path) => Promise.resolve(isAllowed(path) ? path : null),
  }
}

/** A folder of the demo that counts how often it was made. */
export function createMemoryDemoFolder(root = '/demo'): DemoFolder & { readonly made: number } {
  let made = 0
  return {
    root,
    get made() {
      return made
    },
    make() {
      made += 1
      return Promise.resolve()
    },
  }
}
