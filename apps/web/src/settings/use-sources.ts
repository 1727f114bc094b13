import type { Client } from '@palimpsest/client'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'
import { useFolders } from './use-folders.ts'

/**
 * What `read` finds in each folder in use, with its folder. A folder that the operator no longer allows is left out. Undefined while
 * nothing is known.
 */
export function useSources<Found extends object>(
  kind: string,
  read: (client: Client, place: { workspaceRoot: string }) => Promise<Found>,
) {
  const { client } = useApp()
  const folders = useFolders()
  return useQuery({
    queryKey: ['sources', kind, folders],
    enabled: folders !== null,
    refetchOnMount: 'always',
    queryFn: async () => {
      const readIn = async (folder: string) => ({
        folder,
        ...(await read(client(), { workspaceRoot: folder })),
      })
      const settled = await Promise.allSettled((folders ?? []).map(readIn))
      const found = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const failed = settled.find((one) => one.status === 'rejected')
      if (found.length === 0 && failed !== undefined) throw failed.reason
      return found
    },
  })
}
