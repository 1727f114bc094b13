import type { ChatMessage, ContextWindow } from '@palimpsest/core/domain'
import { isSummary } from '../history/summary.ts'
import { isHidden } from '../history/visibility.ts'
import { liveCharacters, liveMessage } from './live-run.ts'
import type { SessionState } from './session-state.ts'

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

/** The context window with what has streamed since it was last counted, marked as an estimate when there is any. */
export function liveContextWindow(
  state: Pick<SessionState, 'contextWindow' | 'live' | 'countedCharacters'>,
): ContextWindow | null {
  const { contextWindow } = state
  const uncounted = Math.max(0, liveCharacters(state.live) - state.countedCharacters)
  if (contextWindow === null || uncounted === 0) return contextWindow
  const used = contextWindow.used + Math.ceil(uncounted / CHARACTERS_PER_TOKEN)
  return { ...contextWindow, used, estimated: true }
}
