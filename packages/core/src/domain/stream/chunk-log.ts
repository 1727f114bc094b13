import type { ChatChunk } from '../message/message.ts'
import { cutString } from '../values/cut-string.ts'

/**
 * A position in a run's stream. Adjacent deltas of one part make up one entry, so that the position does not depend on how
 * deltas were cut: `entry` counts entries from 0; `offset` is 0 before that entry, and after it has been taken 1 more than
 * the characters taken of it, so that an entry without any is taken too.
 */
export type ChunkPosition = { entry: number; offset: number }

export const START: ChunkPosition = { entry: 0, offset: 0 }

export type ChunkLog = {
  append(chunk: ChatChunk): void
  /**
   * What follows `position`, deltas merged, up to one slice. Readers at the same position get the same slice, so that what
   * is made of it can be shared.
   */
  readFrom(position: ChunkPosition): Slice
  /** Entries so far. */
  readonly size: number
}

export type Slice = {
  chunks: ChatChunk[]
  /** The position after `chunks`. */
  position: ChunkPosition
  /** Whether that is the end of the log. */
  isEnd: boolean
}

/** Characters of JSON that one slice of a log holds at most. A chunk that can't be cut and is larger is a slice of its own. */
export const SLICE_CHARACTERS = 32_768
/** Characters of JSON that a delta takes beside its text and metadata: names, type, id, and some that are escaped. */
const ENVELOPE_CHARACTERS = 128

type Entry = { chunk: ChatChunk; characters: number }

/**
 * An append-only log whose memory grows with its text, not with its number of chunks. An entry also ends when it fills a
 * slice, so that reading the newest text never copies all that came before.
 */
export function createChunkLog(sliceCharacters = SLICE_CHARACTERS): ChunkLog {
  const entries: Entry[] = []
  const textCharacters = Math.max(1, sliceCharacters - ENVELOPE_CHARACTERS)
  let latest: { from: ChunkPosition; slice: Slice } | null = null

  function appendPiece(piece: ChatChunk): void {
    const last = entries.at(-1)
    const characters = (last?.characters ?? 0) + textLength(piece)
    const merged = last && characters <= sliceCharacters ? mergeDeltas(last.chunk, piece) : null
    if (merged === null) entries.push(toEntry(piece))
    else entries[entries.length - 1] = { chunk: merged, characters }
  }

  function makeSlice(position: ChunkPosition): Slice {
    const chunks: ChatChunk[] = []
    let reached = position
    let characters = 0
    for (let index = position.entry; index < entries.length; index++) {
      const entry = entries[index] as Entry
      const rest = index === position.entry ? afterOffset(entry, position.offset) : entry
      characters += rest?.characters ?? 0
      if (chunks.length > 0 && characters > sliceCharacters)
        return { chunks, position: reached, isEnd: false }
      if (rest !== null) chunks.push(rest.chunk)
      reached = { entry: index, offset: 1 + textLength(entry.chunk) }
    }
    return { chunks, position: reached, isEnd: true }
  }

  return {
    append(chunk) {
      latest = null
      for (const piece of cutText(chunk, textCharacters)) appendPiece(piece)
    },
    readFrom(position) {
      if (latest?.from.entry !== position.entry || latest.from.offset !== position.offset)
        latest = { from: position, slice: makeSlice(position) }
      return latest.slice
    },
    get size() {
      return entries.length
    },
  }
}

function toEntry(chunk: ChatChunk): Entry {
  const text = deltaText(chunk)
  if (text === null) return { chunk, characters: JSON.stringify(chunk).length }
  const metadata = 'providerMetadata' in chunk ? JSON.stringify(chunk.providerMetadata ?? null).length : 0
  return { chunk, characters: ENVELOPE_CHARACTERS + metadata + text.length }
}

/** What of an entry follows an offset as of `ChunkPosition`; null when nothing does. */
function afterOffset(entry: Entry, offset: number): Entry | null {
  if (offset === 0) return entry
  const rest = skipText(entry.chunk, offset - 1)
  return rest === null ? null : toEntry(rest)
}

/** A delta as pieces of at most so many characters; another chunk as it is. */
function cutText(chunk: ChatChunk, characters: number): ChatChunk[] {
  const text = deltaText(chunk)
  if (text === null || text.length <= characters) return [chunk]
  return cutString(text, characters).map((piece, index) =>
    withText(index === 0 ? chunk : withoutMetadata(chunk), piece),
  )
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
  const { providerMetadata: _sent, ...rest } = chunk
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
