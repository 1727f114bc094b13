import { lazyModule, useLazy } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { folderOf } from '../stores/chosen-folder.ts'

const folderMenu = lazyModule(() => import('./folder-menu.tsx'))

/**
 * The folder that a new chat begins in, and the folders that it may begin in. `workspaceRoot` is null for the first of them: a
 * chat that names no folder works in that one, whichever it is.
 */
export function useNewFolder(enabled: boolean) {
  const { client, folder } = useApp()
  const chosen = useStore(folder)
  const { data } = useQuery({
    queryKey: ['system'],
    enabled,
    queryFn: () => client().system.info.query(),
  })
  const folders = data?.workspaces ?? null
  const value = folderOf(chosen, folders)
  return { folders, value, workspaceRoot: enabled && value !== folders?.[0] ? value : null }
}

/** Chooses the folder of a new chat, where the operator allows more than one. */
export function FolderChoice({ folders, value }: Pick<ReturnType<typeof useNewFolder>, 'folders' | 'value'>) {
  const { folder } = useApp()
  const several = folders !== null && folders.length > 1
  const loaded = useLazy(folderMenu, several)
  if (!several || loaded === null || value === null) return null
  return <loaded.FolderMenu folders={folders} value={value} onChange={folder.set} />
}
