import { useMemo } from 'react'
import { agentOfChat } from '../session/agent-of-chat.ts'
import type { SessionState } from '../session/session-state.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { createPendingAgent } from '../stores/pending-agent.ts'

/** The agent that a chat's next message goes to, and the way to choose another. Null for the server's default one. */
export function useAgentChoice(state: SessionState) {
  const { storage } = useApp()
  const { sessionId } = state
  const pending = useMemo(() => createPendingAgent(storage, sessionId), [storage, sessionId])
  const picked = useStore(pending)
  return {
    agent: picked ?? agentOfChat(state),
    choose: pending.set,
    /** The pick went out with a message, which keeps it from now on. */
    sent: () => pending.set(null),
  }
}
