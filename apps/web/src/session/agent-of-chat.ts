import type { SessionState } from './session-state.ts'
import { isHidden } from './visibility.ts'

/**
 * The id of the agent that the next message of a chat goes to when nobody chooses another: that of the last message that is on its
 * way, queued or visible, else the one that the chat was opened with. Null for a chat that the server does not know yet.
 */
export function agentOfChat({
  session,
  messages,
  queue,
  outgoing,
}: Pick<SessionState, 'session' | 'messages' | 'queue' | 'outgoing'>): string | null {
  const sent = outgoing.at(-1)
  if (sent !== undefined) return sent.agent ?? session?.agent ?? null
  const last = queue.at(-1) ?? messages.findLast((message) => message.role === 'user' && !isHidden(message))
  return last?.metadata?.agent ?? session?.agent ?? null
}
