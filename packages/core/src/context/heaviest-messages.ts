import type { HeavyMessage } from '../domain/heavy-message.ts'
import type { StoredMessage } from '../domain/message.ts'
import { firstWords } from '../domain/session-name.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { isSummary, modelViews } from './model-view.ts'

/**
 * The `count` messages that take the most of a window of `used` tokens, the heaviest first: estimates at the session's
 * `scale`, cut to `used` where all of them exceed it. Summaries and what is left out are not among them.
 */
export function heaviestMessages(
  visible: readonly StoredMessage[],
  { used, providerId, scale, count }: { used: number; providerId: string; scale: number; count: number },
): HeavyMessage[] {
  const places = { user: 0, assistant: 0 }
  const weighed = visible.flatMap((message) => {
    const { id: messageId, role, parts } = message
    if (role === 'system' || isSummary(message)) return []
    places[role] += 1
    const tokens = estimateTokens(modelViews([message]), providerId, scale)
    const text = firstWords(parts.map(({ data }) => data))
    return tokens === 0 ? [] : [{ messageId, role, text, tokens, place: places[role] }]
  })
  const estimated = weighed.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = estimated > used ? used / estimated : 1
  return weighed
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, count)
    .map((message) => ({ ...message, tokens: Math.floor(share * message.tokens) }))
}
