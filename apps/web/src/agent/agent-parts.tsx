import { lazyModule, useLazy } from '@palimpsest/ui'
import type { SessionAgentProps } from './session-agent.tsx'
import type { SubagentNoteProps } from './subagent-note.tsx'

const agentParts = lazyModule(() => import('./session-agent.tsx'))

/** What belongs to a chat that exists; loaded once it is on the server. */
export function SessionAgent(props: SessionAgentProps) {
  const parts = useLazy(agentParts, props.state.session !== null)
  return props.state.session && parts && <parts.SessionAgent {...props} />
}

const subagentNote = lazyModule(() => import('./subagent-note.tsx'))

/** What the page of a subagent's session is; nothing on any other. */
export function SubagentNote({ session }: { session: SubagentNoteProps['session'] | null }) {
  const isSubagent = session?.metadata.subagent !== undefined
  const loaded = useLazy(subagentNote, isSubagent)
  return session && isSubagent && loaded && <loaded.SubagentNote session={session} />
}
