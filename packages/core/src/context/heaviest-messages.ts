import type { Pace } from '../domain/async/pace.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import { firstWords } from '../domain/session/session-name.ts'
import type { HeavyMessage } from '../domain/window/heavy-message.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { isSummary, modelViews } from './model-view.ts'

type Weighed = { message: StoredMessage; role: HeavyMessage['role']; tokens: number; place: number }

/**
 * The `count` messages that take the most of a window of `used` tokens, the heaviest first: estimates at the session's
 * `scale`, cut to `used` where all of them exceed it. Summaries and what is left out are not among them. `pace` is called
 * before each message.
 */
export async function heaviestMessages(
  visible: readonly StoredMessage[],
  { used, providerId, scale, count }: { used: number; providerId: string; scale: number; count: number },
  pace?: Pace,
): Promise<HeavyMessage[]> {
  const places = { user: 0, assistant: 0 }
  const weighed: Weighed[] = []
  for (const message of visible) {
    await pace?.()
    const { role } = message
    if (role === 'system' || isSummary(message)) continue
    places[role] += 1
    const tokens = estimateTokens(modelViews([message]), providerId, scale)
    if (tokens > 0) weighed.push({ message, role, tokens, place: places[role] })
  }
  const estimated = weighed.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = estimated > used ? used / estimated : 1
  return weighed
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, count)
    .map(({ message: { id: messageId, parts }, role, tokens, place }) => {
      const text = firstWords(parts.map(({ data }) => data))
      return { messageId, role, text, tokens: Math.floor(share * tokens), place }
    })
}
