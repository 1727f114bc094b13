import { lazyModule, useLazy } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'
import type { CommandPlace } from './command-place.ts'
import type { useAgentChoice } from './use-agent-choice.ts'

const agentMenu = lazyModule(() => import('./agent-menu.tsx'))

export type AgentChoiceProps = {
  state: SessionState
  /** The chat, or the folder of a new one. */
  place: CommandPlace
  choice: ReturnType<typeof useAgentChoice>
}

/** Chooses the agent of a chat where there is more than one for chats. The chat of a subagent keeps its own. */
export function AgentChoice({ state, place, choice }: AgentChoiceProps) {
  const { client } = useApp()
  const { session } = state
  const { data } = useQuery({
    queryKey: ['agents', place],
    enabled: session?.metadata.subagent === undefined,
    queryFn: async () => {
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
