import type { ChatChunk, ChatMessage, FinishReason, MetadataPatch } from '../domain/message/message.ts'
import { NO_TOKENS } from '../domain/model/usage.ts'
import { closingChunks, unansweredCalls, undecidedCalls } from './closing-chunks.ts'
import type { Recorder } from './recorder.ts'
import { finishReasonOf, type RunEnd, type RunError } from './run-outcome.ts'

type SdkFinishReason = NonNullable<Extract<ChatChunk, { type: 'finish' }>['finishReason']>

const SDK_REASONS: ReadonlySet<string> = new Set<SdkFinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
])

/**
 * The last chunks of a run: metadata of its end merged with `noted`, and exactly one chunk that ends the
 * stream. A failure closes what is open before; an abort leaves it as it is, but for calls that wait for a decision.
 */
export function terminalChunks(
  outcome: RunEnd,
  { message, reduction, timing }: Pick<Recorder, 'message' | 'reduction' | 'timing'>,
  durationMs: number,
  noted: MetadataPatch,
): ChatChunk[] {
  const finishReason = finishReasonOf(outcome)
  const messageMetadata: MetadataPatch = {
    finishReason,
    durationMs,
    ...timing,
    ...noted,
    ...(outcome.type === 'failed' && { error: outcome.error }),
    ...(outcome.type === 'finished' && outcome.budget && { budget: outcome.budget }),
    ...unknownUsage(outcome, message),
  }
  switch (outcome.type) {
    case 'failed':
      return [
        ...closingChunks(reduction, outcome.unanswered === true || hasOpenAnswer(message)),
        { type: 'message-metadata', messageMetadata },
        errorChunk(outcome.error),
      ]
    case 'aborted':
      return [
        ...undecidedCalls(reduction),
        { type: 'message-metadata', messageMetadata },
        { type: 'abort', reason: 'stopped' },
      ]
    case 'finished':
      return [
        ...unansweredCalls(reduction),
        { type: 'finish', finishReason: toSdkReason(finishReason), messageMetadata },
      ]
  }
}

/** Ends the stream of a failed run. */
export function errorChunk({ message }: Pick<RunError, 'message'>): ChatChunk {
  return { type: 'error', errorText: message }
}

/** Whether the answer of the last step has not ended: the usage of each that has is counted. */
function hasOpenAnswer({ parts, metadata }: ChatMessage): boolean {
  return parts.filter(({ type }) => type === 'step-start').length !== (metadata?.usage?.steps ?? 0)
}

/** A model call that was cut off was paid for, and its usage is unknown; that of a step with its calls made is stored. */
function unknownUsage({ type }: RunEnd, message: ChatMessage): MetadataPatch {
  if (type === 'finished' || message.parts.length === 0 || (type === 'aborted' && !hasOpenAnswer(message)))
    return {}
  return { usage: { ...(message.metadata?.usage ?? { ...NO_TOKENS, steps: 0 }), unknown: true } }
}

function toSdkReason(reason: FinishReason): SdkFinishReason {
  return SDK_REASONS.has(reason) ? (reason as SdkFinishReason) : 'other'
}
