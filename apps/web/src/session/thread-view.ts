import {
  type ChatMessage,
  type ContextWindow,
  contextWindow,
  isRunning,
  type ModelInfo,
  type ModelRef,
  type SessionStatus,
} from '@palimpsest/core/domain'
import { liveCharacters, liveMessage } from './live-run.ts'
import type { SessionState } from './session-state.ts'
import { isSummary } from './summary.ts'
import { isHidden } from './visibility.ts'

/** Characters that make up about one token of prose; the figure that providers name for English. */
const CHARACTERS_PER_TOKEN = 4

/** What was said and is visible, in order, with the message that streams in its place; summaries are left out. */
export function shownMessages(state: Pick<SessionState, 'messages' | 'live'>): readonly ChatMessage[] {
  return allMessages(state).filter((message) => !isHidden(message) && !isSummary(message))
}

/** Every message that is loaded, hidden ones at their place. */
export function allMessages(state: Pick<SessionState, 'messages' | 'live'>): readonly ChatMessage[] {
  const live = liveMessage(state.live)
  if (live === null) return state.messages
  const index = state.messages.findLastIndex(({ id }) => id === live.id)
  return index === -1 ? [...state.messages, live] : state.messages.with(index, live)
}

/**
 * The context window with what has streamed since it was last counted, marked as an estimate when there is any. Its
 * limits are the server's, or those of another model that was chosen for the next message.
 */
export function liveContextWindow(
  state: Pick<SessionState, 'contextWindow' | 'live' | 'countedCharacters'> & {
    session: { model: ModelRef } | null
  },
  chosen: (Omit<ModelRef, 'variant'> & Pick<ModelInfo, 'contextLimit' | 'maxOutput'>) | null,
): ContextWindow | null {
  if (state.contextWindow === null) return null
  const { used, estimated } = state.contextWindow
  const uncounted = Math.max(0, liveCharacters(state.live) - state.countedCharacters)
  const total = used + Math.ceil(uncounted / CHARACTERS_PER_TOKEN)
  // The server knows what is configured and was learned for the session's own model.
  if (chosen !== null && !isOf(chosen, state.session))
    return contextWindow(total, estimated || uncounted > 0, chosen)
  return { ...state.contextWindow, used: total, estimated: estimated || uncounted > 0 }
}

function isOf(
  { providerId, modelId }: Omit<ModelRef, 'variant'>,
  session: { model: ModelRef } | null,
): boolean {
  return session?.model.providerId === providerId && session.model.modelId === modelId
}

/** The session is shown as busy while a message is being sent, before the server reports it. */
export function shownStatus({ status, outgoing }: Pick<SessionState, 'status' | 'outgoing'>): SessionStatus {
  const onItsWay = outgoing.some(({ state }) => state.type !== 'failed')
  return onItsWay && !isRunning(status) ? { state: 'busy', runId: '', startedAt: 0 } : status
}
