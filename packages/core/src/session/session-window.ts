import { calibrate, estimateTokens } from '../context/estimate-tokens.ts'
import { type ContextWindow, contextWindow } from '../domain/context-window.ts'
import { type ChatMessage, toChatMessage } from '../domain/message.ts'
import type { Session } from '../domain/session.ts'
import type { Models, Store } from '../ports/index.ts'

/** Messages looked at to find those that no provider has counted; more than that are not waiting to be. */
const NEWEST = 20

/**
 * The window of a session as it stands: what was counted last, and an estimate of what has come since. `visible` are its
 * messages, newest last; without them they are read.
 */
export async function sessionWindow(
  session: Session,
  { store, models }: { store: Store; models: Models },
  visible?: readonly ChatMessage[],
): Promise<ContextWindow> {
  const { providerId } = session.model
  const info = await models.find(session.model)
  const newest = visible?.slice(-NEWEST) ?? (await readNewest(session.id, store))
  const counted = newest.findLastIndex(({ metadata }) => (metadata?.usage?.steps ?? 0) > 0)
  const uncounted = estimateTokens(newest.slice(counted + 1), providerId, calibrate(newest, providerId))
  const guessed = newest[counted]?.metadata?.usage?.unknown === true
  const limits = info ?? { contextLimit: null, maxOutput: null }
  return contextWindow(session.contextTokens + uncounted, uncounted > 0 || guessed, limits)
}

async function readNewest(sessionId: string, store: Store): Promise<ChatMessage[]> {
  const page = await store.messages.page({ sessionId, limit: NEWEST, hidden: false })
  return page.items.map(toChatMessage)
}
