import type { ChatChunk } from './message.ts'

/**
 * A place in a run's stream. Adjacent deltas of one part make up one entry, so that the place does not depend on how
 * deltas were cut: `entry` counts entries from 0; `offset` is 0 before that entry, and after it has been taken 1 more than
 * the characters taken of it, so that an entry without any is taken too.
 */
export type ChunkPosition = { entry: number; offset: number }

export const START: ChunkPosition = { entry: 0, offset: 0 }

export type ChunkLog = {
  append(chunk: ChatChunk): void
  /** What stands after `position`, deltas merged, and the place after it. */
  readFrom(position: ChunkPosition): { chunks: ChatChunk[]; position: ChunkPosition }
  /** Entries so far. */
  readonly size: number
}

/** An append-only log whose memory grows with its text, not with its number of chunks. */
export function createChunkLog(): ChunkLog {
  const entries: ChatChunk[] = []

  return {
    append(chunk) {
      const last = entries.at(-1)
      const merged = last === undefined ? null : mergeDeltas(last, chunk)
      if (merged === null) entries.push(chunk)
      else entries[entries.length - 1] = merged
    },
    readFrom(position) {
      const chunks: ChatChunk[] = []
      for (let index = position.entry; index < entries.length; index++) {
        const entry = entries[index] as ChatChunk
        const offset = index === position.entry ? position.offset : 0
        const rest = offset === 0 ? entry : skipText(entry, offset - 1)
        if (rest !== null) chunks.push(rest)
      }
      const last = entries.at(-1)
      if (last === undefined) return { chunks, position }
      return { chunks, position: { entry: entries.length - 1, offset: 1 + textLength(last) } }
    },
    get size() {
      return entries.length
    },
  }
}

/** The text of a delta chunk; null for every other chunk. */
export function deltaText(chunk: ChatChunk): string | null {
  switch (chunk.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return chunk.delta
    case 'tool-input-delta':
      return chunk.inputTextDelta
    default:
      return null
  }
}

/** Whether `next` continues the entry that `chunk` belongs to. */
export function continuesEntry(chunk: ChatChunk, next: ChatChunk): boolean {
  switch (next.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return chunk.type === next.type && chunk.id === next.id && next.providerMetadata === undefined
    case 'tool-input-delta':
      return chunk.type === next.type && chunk.toolCallId === next.toolCallId
    default:
      return false
  }
}

/** One chunk for two, or null when they belong to different entries. */
export function mergeDeltas(chunk: ChatChunk, next: ChatChunk): ChatChunk | null {
  if (!continuesEntry(chunk, next)) return null
  return withText(chunk, (deltaText(chunk) ?? '') + (deltaText(next) ?? ''))
}

/**
 * The chunk without its first `characters` of text and what went with them, so that it continues their entry; null when
 * nothing is left.
 */
export function skipText(chunk: ChatChunk, characters: number): ChatChunk | null {
  const text = deltaText(chunk)
  if (text === null || text.length <= characters) return null
  return withText(withoutMetadata(chunk), text.slice(characters))
}

/** Characters of a delta; 0 of every other chunk. */
export function textLength(chunk: ChatChunk): number {
  return deltaText(chunk)?.length ?? 0
}

function withoutMetadata(chunk: ChatChunk): ChatChunk {
  if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') return chunk
  const { providerMetadata: _told, ...rest } = chunk
  return rest
}

function withText(chunk: ChatChunk, text: string): ChatChunk {
  switch (chunk.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return { ...chunk, delta: text }
    case 'tool-input-delta':
      return { ...chunk, inputTextDelta: text }
    default:
      return chunk
  }
}
