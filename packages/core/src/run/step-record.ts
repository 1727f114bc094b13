import { calibrate, estimateTextTokens, estimateTokens } from '../context/estimate-tokens.ts'
import type { ChatChunk, ChatMessage } from '../domain/message.ts'
import { addTokens, type MessageUsage, NO_TOKENS, totalTokens } from '../domain/usage.ts'
import { countTokens } from '../model/usage.ts'
import type { StepEnd } from './model-step.ts'
import type { Recorder } from './recorder.ts'
import type { Run, StepRecord } from './run-types.ts'

/** What a step leaves behind: the chunks that tell its message of it, and the rows that are committed with them. */
export function stepRecord(
  run: Run,
  { message, timing }: Pick<Recorder, 'message' | 'timing'>,
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
  const contextTokens = unknown ? estimateWindow(run, message, systemPrompt.body) : totalTokens(counts)
  const chunks: ChatChunk[] = [
    {
      type: 'message-metadata',
      messageMetadata: { usage, systemPromptDigest: systemPrompt.digest, ...timing },
    },
  ]
  return { chunks, record: { usage: counts, contextTokens, systemPrompt } }
}

/** What the window holds when the provider has not said. */
function estimateWindow(run: Run, message: ChatMessage, systemPrompt: string): number {
  const { providerId } = run.model
  const scale = calibrate(run.history, providerId)
  return (
    estimateTextTokens(systemPrompt, providerId, scale) +
    estimateTokens([...run.history, message], providerId, scale)
  )
}
