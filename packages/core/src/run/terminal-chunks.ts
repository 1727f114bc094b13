import type { ChatChunk, ChatMessage, MetadataPatch } from '../domain/message.ts'
import { NO_TOKENS } from '../domain/usage.ts'
import { closingChunks } from './closing-chunks.ts'
import type { Recorder } from './recorder.ts'
import type { RunEnd } from './run-types.ts'

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
 * The last chunks of a run: what its message must know of the end, with `noted` beside it, and exactly one that ends the
 * stream. A failure closes what is open before; an abort leaves it as it is.
 */
export function terminalChunks(
  end: RunEnd,
  { message, reduction, timing }: Pick<Recorder, 'message' | 'reduction' | 'timing'>,
  durationMs: number,
  noted: MetadataPatch,
): ChatChunk[] {
  const { finishReason, error } = end
  const messageMetadata: MetadataPatch = {
    finishReason,
    durationMs,
    ...timing,
    ...noted,
    ...(error && { error }),
    ...unknownUsage(end, message),
  }
  if (error !== undefined)
    return [
      ...closingChunks(reduction),
      { type: 'message-metadata', messageMetadata },
      { type: 'error', errorText: error.message },
    ]
  if (finishReason === 'aborted')
    return [
      { type: 'message-metadata', messageMetadata },
      { type: 'abort', reason: 'stopped' },
    ]
  return [{ type: 'finish', finishReason: toSdkReason(finishReason), messageMetadata }]
}

/** A step that was cut off was paid for, and nobody said what it cost. */
function unknownUsage({ finishReason }: RunEnd, message: ChatMessage): MetadataPatch {
  const cutOff = (finishReason === 'aborted' || finishReason === 'error') && message.parts.length > 0
  if (!cutOff) return {}
  return { usage: { ...(message.metadata?.usage ?? { ...NO_TOKENS, steps: 0 }), unknown: true } }
}

function toSdkReason(reason: RunEnd['finishReason']): SdkFinishReason {
  return SDK_REASONS.has(reason) ? (reason as SdkFinishReason) : 'other'
}
