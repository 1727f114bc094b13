import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'

/** What the server says of itself. */
export function useSystem(enabled: boolean) {
  const { client } = useApp()
  return useQuery({ queryKey: ['system'], enabled, queryFn: () => client().system.info.query() }).data
}
