import type { ChatChunk } from '../message/message.ts'
import { type ChunkPosition, continuesEntry, skipText, textLength } from './chunk-log.ts'

export type OverlapFilter = {
  /** What of these chunks has not passed before. */
  pass(chunks: readonly ChatChunk[]): ChatChunk[]
  /** The stream begins again from its start, as after a reconnect. */
  restart(): void
}

/**
 * Lets each chunk of a run through once, however often its stream is begun again and wherever it is cut: both sides
 * count entries and characters the same way (see `ChunkPosition`).
 */
export function createOverlapFilter(): OverlapFilter {
  let reached: ChunkPosition = { entry: -1, offset: 0 }
  let current: ChunkPosition = { entry: -1, offset: 0 }
  let previous: ChatChunk | null = null

  function passOne(chunk: ChatChunk): ChatChunk | null {
    const continues = previous !== null && continuesEntry(previous, chunk)
    const from = continues ? current.offset : 1
    current = { entry: continues ? current.entry : current.entry + 1, offset: from + textLength(chunk) }
    previous = chunk
    if (current.entry < reached.entry) return null
    const known = current.entry === reached.entry ? reached.offset : 0
    if (current.offset <= known) return null
    reached = current
    return known <= from ? chunk : skipText(chunk, known - from)
  }

  return {
    pass: (chunks) => chunks.map(passOne).filter((chunk) => chunk !== null),
    restart() {
      current = { entry: -1, offset: 0 }
      previous = null
    },
  }
}
