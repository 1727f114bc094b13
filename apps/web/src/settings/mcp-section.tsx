import { Button } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { LoadFailed } from '../agent/load-failed.tsx'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { McpForm } from './mcp-form.tsx'
import { McpServerCard } from './mcp-server-card.tsx'
import { useMcpServers } from './use-mcp-servers.ts'

const { mcp: words } = settingsWords

/** The MCP servers: their state, their tools, why one is not connected, and a form for another one. */
export function McpSection() {
  const { client } = useApp()
  const { servers, error, retry, actions } = useMcpServers()
  const { data: system } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  const [adding, setAdding] = useState(false)
  if (servers === null)
    return error ? <LoadFailed error={error} onRetry={retry} /> : <p role="status">{words.loading}</p>
  return (
    <div className="space-y-5">
      <p className="text-muted">{words.lead}</p>
      {servers.length === 0 && system && <p>{words.empty(system.setup.configFile)}</p>}
      {servers.map((server) => (
        <McpServerCard key={server.name} server={server} {...actions} />
      ))}
      {adding ? (
        <McpForm test={actions.test} put={actions.put} onClose={() => setAdding(false)} />
      ) : (
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden size={15} />
          {words.add}
        </Button>
      )}
    </div>
  )
}
