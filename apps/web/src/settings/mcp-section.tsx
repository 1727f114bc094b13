import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../agent/load-failed.tsx'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { McpServerCard } from './mcp-server-card.tsx'
import { useMcpServers } from './use-mcp-servers.ts'

const { mcp: words } = settingsWords

/** The MCP servers of the configuration: their state, their tools, and why one is not connected. */
export function McpSection() {
  const { client } = useApp()
  const { servers, error, retry, actions } = useMcpServers()
  const { data: system } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  if (servers === null)
    return error ? <LoadFailed error={error} onRetry={retry} /> : <p role="status">{words.loading}</p>
  return (
    <div className="space-y-5">
      <p className="text-muted">{words.lead}</p>
      {servers.length === 0 && system && <p>{words.empty(system.setup.configFile)}</p>}
      {servers.map((server) => (
        <McpServerCard key={server.name} server={server} {...actions} />
      ))}
    </div>
  )
}
