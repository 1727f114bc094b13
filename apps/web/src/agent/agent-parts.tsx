import { lazyModule, useLazy } from '@palimpsest/ui'
import type { SessionAgentProps } from './session-agent.tsx'

const agentParts = lazyModule(() => import('./session-agent.tsx'))

/** What belongs to a chat that exists; loaded once it is on the server. */
export function SessionAgent(props: SessionAgentProps) {
  const parts = useLazy(agentParts, props.state.session !== null)
  return props.state.session && parts && <parts.SessionAgent {...props} />
}
