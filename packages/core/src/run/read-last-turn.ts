import { lastTurnMessage } from '../domain/message/last-turn-message.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import type { Store } from '../ports/index.ts'

/** Messages read at once; more only when all of them are summaries. */
const NEWEST = 5

/** The newest visible question or reply of a session; undefined when there is none. */
export async function readLastTurn(sessionId: string, store: Store): Promise<StoredMessage | undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.messages.page({
      sessionId,
      limit: NEWEST,
      hidden: false,
      ...(cursor !== undefined && { cursor }),
    })
    const last = lastTurnMessage(page.items)
    if (last !== undefined) return last
    cursor = page.nextCursor
  }
  return undefined
}
