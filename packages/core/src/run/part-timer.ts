import type { ChatChunk, ChatPart, MetadataPatch } from '../domain/message/message.ts'
import type { Clock } from '../ports/index.ts'

const BEGINS: ReadonlySet<string> = new Set<ChatChunk['type']>(['reasoning-start', 'tool-input-available'])
const ENDS: ReadonlySet<string> = new Set<ChatChunk['type']>([
  'reasoning-end',
  'tool-output-available',
  'tool-output-error',
])

export type PartTimer = {
  /** To be called with each chunk, and the message's parts before and after it. */
  note(chunk: ChatChunk, before: readonly ChatPart[], after: readonly ChatPart[]): void
  /** The message metadata with the durations so far. */
  readonly patch: Pick<MetadataPatch, 'partDurationsMs'>
}

/** Measures thoughts from their first to their last word, and tool calls from their complete input to their output. */
export function createPartTimer(clock: Clock): PartTimer {
  const begunAt = new Map<number, number>()
  const durations = new Map<string, number>()
  return {
    note({ type }, before, after) {
      if (!BEGINS.has(type) && !ENDS.has(type)) return
      const index = after.findLastIndex((part, at) => part !== before[at])
      if (BEGINS.has(type)) begunAt.set(index, clock.elapsed())
      const from = begunAt.get(index)
      if (ENDS.has(type) && from !== undefined) durations.set(String(index), clock.elapsed() - from)
    },
    get patch() {
      return durations.size === 0 ? {} : { partDurationsMs: Object.fromEntries(durations) }
    },
  }
}
