import { useQuery } from '@tanstack/react-query'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'

/** Folders that are read at most. */
const FOLDERS = 50

/**
 * The folders that chats may bring something from: those that the operator allows, the first of which is the default, then those of
 * the chats that are listed. Null until they are known.
 */
export function useFolders(): readonly string[] | null {
  const app = useApp()
  const { sessions } = useStore(app.chats)
  const { data } = useQuery({
    queryKey: ['system'],
    queryFn: () => app.client().system.info.query(),
  })
  if (data === undefined) return null
  const used = sessions.flatMap(({ workspaceRoot }) => workspaceRoot ?? [])
  return [...new Set([...data.workspaces, ...used])].slice(0, FOLDERS)
}
