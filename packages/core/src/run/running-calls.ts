import type { UIMessageChunk } from 'ai'
import type { Clock } from '../ports/index.ts'

/** The calls that our tools are executing. */
export type RunningCalls = {
  readonly size: number
  /** To be called with each chunk; returns it, a failure with the call's duration added, as in a result's envelope. */
  note(chunk: UIMessageChunk): UIMessageChunk
}

export function createRunningCalls(clock: Clock): RunningCalls {
  const begunAt = new Map<string, number>()
  return {
    get size() {
      return begunAt.size
    },
    note(chunk) {
      if (chunk.type === 'tool-input-available' && chunk.providerExecuted !== true) {
        begunAt.set(chunk.toolCallId, clock.elapsed())
      }
      if (chunk.type === 'tool-output-available' && chunk.preliminary !== true)
        begunAt.delete(chunk.toolCallId)
      if (chunk.type !== 'tool-output-error') return chunk
      const from = begunAt.get(chunk.toolCallId)
      begunAt.delete(chunk.toolCallId)
      if (from === undefined) return chunk
      return { ...chunk, toolMetadata: { ...chunk.toolMetadata, duration_ms: clock.elapsed() - from } }
    },
  }
}
