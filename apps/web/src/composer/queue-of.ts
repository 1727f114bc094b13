import type { ChatMessage } from '@palimpsest/core/domain'
import type { SessionState } from '../session/session-state.ts'

/** What waits on the server, and behind it what is on its way there. */
export function queueOf({ queue, outgoing }: Pick<SessionState, 'queue' | 'outgoing'>): ChatMessage[] {
  const coming = outgoing.filter(({ queued, state }) => queued && state.type !== 'failed')
  return [...queue, ...coming.map(({ message }) => message)]
}
