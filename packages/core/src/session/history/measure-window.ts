import { estimateTokens } from '../../context/estimate-tokens.ts'
import { toChatMessage } from '../../domain/message.ts'
import type { Outline, OutlineEntry } from '../../domain/outline.ts'
import { toRanges } from '../../domain/seq-ranges.ts'
import type { View } from '../../history/outline.ts'
import type { Store } from '../../ports/index.ts'

/** What the window holds when `view` is what the model sees; `estimated` when a provider has not counted all of it. */
export type Measure = { contextTokens: number; contextEstimated: boolean }

/**
 * The last count that holds for a view, and an estimate of what came after it. A count holds under the summary that it
 * was made under: with another one, or none, the model would have seen something else.
 */
export async function measureWindow(
  { sessionId, providerId }: { sessionId: string; providerId: string },
  outline: Outline,
  view: View,
  store: Store,
): Promise<Measure> {
  const entries = outline.entries.filter(({ seq }) => view.has(seq))
  const counted = lastCount(entries)
  const rest = entries.filter(({ seq }) => seq > (counted?.seq ?? 0))
  const messages =
    rest.length === 0 ? [] : await store.history.messagesAt(sessionId, toRanges(rest.map(({ seq }) => seq)))
  const estimate = estimateTokens(messages.map(toChatMessage), providerId)
  return { contextTokens: (counted?.window?.tokens ?? 0) + estimate, contextEstimated: rest.length > 0 }
}

/** The last message of a view whose count holds for it. */
export function lastCount(entries: readonly OutlineEntry[]): OutlineEntry | undefined {
  const summary = entries.findLast(({ compactionId }) => compactionId !== null)?.compactionId ?? undefined
  return entries.findLast(({ window }) => window !== null && window.compactionId === summary)
}
