import type { McpDefinition, McpServerView, McpTest } from '@palimpsest/core/domain'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'

const KEY = ['mcp']

/** Milliseconds between two readings while the list is shown: a server may connect or fail at any time. */
const REFETCH_MS = 2_000

type McpInput = { name: string; server: McpDefinition }

export type McpActions = ReturnType<typeof useMcpServers>['actions']

/** The MCP servers of the configuration and those that were entered; null while they are loading. */
export function useMcpServers() {
  const { client, toasts } = useApp()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    refetchOnMount: 'always',
    refetchInterval: REFETCH_MS,
    queryFn: async (): Promise<McpServerView[]> => (await client().mcp.servers.query()).items,
  })

  async function reconnect(name: string): Promise<void> {
    await toasts.guard(client().mcp.reconnect.mutate({ name }))
    await refetch()
  }

  /** Opens the page where a person signs in, and returns its address; null when there is none. */
  async function signIn(name: string): Promise<string | null> {
    const asked = client().mcp.signIn.mutate({ name, origin: location.origin })
    if (!(await toasts.guard(asked))) return null
    const { url } = await asked
    // The address comes from the authorisation server.
    if (!/^https?:/.test(url)) return null
    window.open(url, '_blank', 'noopener,noreferrer')
    return url
  }

  async function signOut(name: string): Promise<void> {
    await toasts.guard(client().mcp.signOut.mutate({ name }))
    await refetch()
  }

  async function put(input: McpInput): Promise<void> {
    await client().mcp.put.mutate(input)
    await refetch()
  }

  async function remove(name: string): Promise<void> {
    await toasts.guard(client().mcp.remove.mutate({ name }))
    await refetch()
  }

  const test = (input: McpInput): Promise<McpTest> => client().mcp.test.mutate(input)

  return {
    servers: data ?? null,
    error,
    retry: () => void refetch(),
    actions: { reconnect, signIn, signOut, test, put, remove },
  }
}
