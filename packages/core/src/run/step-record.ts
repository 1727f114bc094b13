import { calibrate, estimateTextTokens, estimateTokens } from '../context/estimate-tokens.ts'
import type { ChatChunk, ChatMessage, MetadataPatch } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import type { CountedWindow } from '../domain/outline.ts'
import { addTokens, type MessageUsage, NO_TOKENS, totalTokens } from '../domain/usage.ts'
import { countTokens } from '../model/usage.ts'
import type { StepEnd } from './model-step.ts'
import type { Run, StepRecord } from './run-types.ts'

/** What a step leaves behind: the chunks that tell its message of it, and the rows that are committed with them. */
export function stepRecord(
  run: Run,
  history: readonly ChatMessage[],
  message: ChatMessage,
  end: StepEnd,
  systemPrompt: { digest: string; body: string },
): { chunks: ChatChunk[]; record: StepRecord } {
  const { unknown, ...counts } = countTokens(end.usage)
  const before = message.metadata?.usage
  const usage: MessageUsage = {
    ...addTokens(before ?? NO_TOKENS, counts),
    steps: (before?.steps ?? 0) + 1,
    ...((unknown || before?.unknown) && { unknown: true }),
  }
  const contextTokens = unknown
    ? estimateWindow(run.model, [...history, message], systemPrompt.body)
    : totalTokens(counts)
  const messageMetadata: MetadataPatch = {
    usage,
    systemPromptDigest: systemPrompt.digest,
    ...(!unknown && { window: countedWindow(contextTokens, history) }),
  }
  const chunks: ChatChunk[] = [{ type: 'message-metadata', messageMetadata }]
  return {
    chunks,
    record: { usage: counts, contextTokens, contextEstimated: unknown === true, systemPrompt },
  }
}

function countedWindow(tokens: number, history: readonly ChatMessage[]): CountedWindow {
  const compactionId = history.find(({ metadata }) => metadata?.compactionId !== undefined)?.metadata
    ?.compactionId
  return { tokens, ...(compactionId !== undefined && { compactionId }) }
}

/** What the window holds when the provider has not said. */
function estimateWindow(
  { providerId }: ModelRef,
  messages: readonly ChatMessage[],
  systemPrompt: string,
): number {
  const scale = calibrate(messages, providerId)
  return estimateTextTokens(systemPrompt, providerId, scale) + estimateTokens(messages, providerId, scale)
}
