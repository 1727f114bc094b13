import { lazyModule, useLazy } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { folderOf } from '../stores/chosen-folder.ts'

const folderMenu = lazyModule(() => import('./folder-menu.tsx'))

/** The folder that a chat begins in, and the folders that it may begin in. */
export function useNewFolder(enabled: boolean) {
  const { client, folder } = useApp()
  const chosen = useStore(folder)
  const { data } = useQuery({
    queryKey: ['system'],
    enabled,
    queryFn: () => client().system.info.query(),
  })
  const folders = data?.workspaces ?? null
  return { folders, value: folderOf(chosen, folders) }
}

/** Chooses the folder of a new chat, where the operator allows more than one. */
export function FolderChoice({ folders, value }: ReturnType<typeof useNewFolder>) {
  const { folder } = useApp()
  const several = folders !== null && folders.length > 1
  const loaded = useLazy(folderMenu, several)
  if (!several || loaded === null || value === null) return null
  return <loaded.FolderMenu folders={folders} value={value} onChange={folder.set} />
}
