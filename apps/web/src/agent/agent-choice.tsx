import { lazyModule, useLazy } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'
import type { useAgentChoice } from './use-agent-choice.ts'

const agentMenu = lazyModule(() => import('./agent-menu.tsx'))

export type AgentChoiceProps = {
  state: SessionState
  /** In a new chat: its folder, null for the first one. */
  workspaceRoot: string | null
  choice: ReturnType<typeof useAgentChoice>
}

/** Chooses the agent of a chat where there is more than one for chats. The chat of a subagent keeps its own. */
export function AgentChoice({ state, workspaceRoot, choice }: AgentChoiceProps) {
  const { client } = useApp()
  const { session, sessionId } = state
  const { data } = useQuery({
    queryKey: ['agents', session === null ? workspaceRoot : sessionId],
    enabled: session?.metadata.subagent === undefined,
    queryFn: async () => {
      const place = session === null ? { ...(workspaceRoot !== null && { workspaceRoot }) } : { sessionId }
      const [builtIn, files] = await Promise.all([
        client().agent.list.query(),
        client().agentFile.list.query(place),
      ])
      const ids = new Set(builtIn.items.map(({ id }) => id))
      const ofFiles = files.items.filter(({ id, allowed }) => allowed && !ids.has(id))
      return [...builtIn.items, ...ofFiles].filter(({ mode }) => mode !== 'subagent')
    },
  })
  const value = choice.agent ?? data?.[0]?.id
  const isChoice = data !== undefined && (data.length > 1 || data.every(({ id }) => id !== value))
  const loaded = useLazy(agentMenu, isChoice)
  if (!isChoice || loaded === null || value === undefined) return null
  return <loaded.AgentMenu agents={data} value={value} onChange={choice.choose} />
}
