import { estimateTokens } from '../context/estimate-tokens.ts'
import { type ContextWindow, contextWindow } from '../domain/context-window.ts'
import { toChatMessage } from '../domain/message.ts'
import type { Session } from '../domain/session.ts'
import type { Models, Store } from '../ports/index.ts'

/** Messages looked at to find those that no provider has counted; more than that are not waiting to be. */
const NEWEST = 20

/** The window of a session as it stands: what was counted last, and an estimate of what has come since. */
export async function sessionWindow(
  session: Session,
  { store, models }: { store: Store; models: Models },
): Promise<ContextWindow> {
  const { providerId } = session.model
  const [info, page] = await Promise.all([
    models.find(session.model),
    store.messages.page({ sessionId: session.id, limit: NEWEST, hidden: false }),
  ])
  const counted = page.items.findLastIndex(({ metadata }) => (metadata.usage?.steps ?? 0) > 0)
  const uncounted = estimateTokens(page.items.slice(counted + 1).map(toChatMessage), providerId)
  const guessed = page.items[counted]?.metadata.usage?.unknown === true
  const limits = info ?? { contextLimit: null, maxOutput: null }
  return contextWindow(session.contextTokens + uncounted, uncounted > 0 || guessed, limits)
}
