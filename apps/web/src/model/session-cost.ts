import {
  addTokens,
  type ChatMessage,
  type ModelInfo,
  type ModelRef,
  modelCost,
  NO_TOKENS,
  type SessionUsage,
  type TokenCounts,
  totalTokens,
} from '@palimpsest/core/domain'

import { findModel } from '../stores/model-choice.ts'

/**
 * Cost of a session in US dollars at the catalogue's prices: each loaded reply at its own model's, messages that are
 * not loaded or hidden at the session's. Null when a price is unknown. A cost that the server reports comes first.
 */
export function sessionCost(
  usage: SessionUsage,
  messages: readonly ChatMessage[],
  model: ModelRef,
  models: readonly ModelInfo[],
): number | null {
  if (usage.costUsd !== null) return usage.costUsd
  const replies = messages.flatMap(({ metadata }) =>
    metadata?.usage && metadata.model ? [{ counts: metadata.usage, model: metadata.model }] : [],
  )
  const counted = replies.reduce((sum, reply) => addTokens(sum, reply.counts), NO_TOKENS)
  const priced = (counts: TokenCounts, ref: ModelRef) => {
    if (totalTokens(counts) === 0) return 0
    const info = findModel(models, ref)
    return info === null ? null : modelCost(counts, info.prices)
  }
  return [...replies, { counts: beyond(usage, counted), model }]
    .map((share) => priced(share.counts, share.model))
    .reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0)
}

/** The session's counts without these. */
function beyond(usage: SessionUsage, counted: TokenCounts): TokenCounts {
  return {
    input: Math.max(0, usage.promptTokens - counted.input),
    output: Math.max(0, usage.completionTokens - counted.output),
    reasoning: Math.max(0, usage.reasoningTokens - counted.reasoning),
    cacheRead: Math.max(0, usage.cacheRead - counted.cacheRead),
    cacheWrite: Math.max(0, usage.cacheWrite - counted.cacheWrite),
  }
}
