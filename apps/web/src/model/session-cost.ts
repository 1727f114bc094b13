import {
  addTokens,
  type ChatMessage,
  type ModelInfo,
  type ModelRef,
  NO_TOKENS,
  type SessionUsage,
  type TokenCounts,
} from '@palimpsest/core/domain'
import { modelCost } from '@palimpsest/ui'
import { findModel } from './model-choice.ts'

/**
 * US dollars that a session has cost at the catalogue's prices: each loaded reply at its own model's, what lies further
 * up or is hidden at the session's. What has no price counts nothing. A cost that the server was told comes first.
 */
export function sessionCost(
  usage: SessionUsage,
  messages: readonly ChatMessage[],
  model: ModelRef,
  models: readonly ModelInfo[],
): number {
  if (usage.costUsd > 0) return usage.costUsd
  const replies = messages.flatMap(({ metadata }) =>
    metadata?.usage && metadata.model ? [{ counts: metadata.usage, model: metadata.model }] : [],
  )
  const priced = (counts: TokenCounts, ref: ModelRef) => {
    const info = findModel(models, ref)
    return info === null ? 0 : (modelCost(counts, info.prices) ?? 0)
  }
  const loaded = replies.reduce((sum, reply) => sum + priced(reply.counts, reply.model), 0)
  const counted = replies.reduce((sum, reply) => addTokens(sum, reply.counts), NO_TOKENS)
  return loaded + priced(beyond(usage, counted), model)
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
