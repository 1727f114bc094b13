import type { ChatChunk, ChatPart } from '../domain/message/message.ts'
import { textLength } from '../domain/stream/chunk-log.ts'

/** Chunks that only make a part longer: the log alone holds them until the next fold. */
const GROWING: ReadonlySet<string> = new Set<ChatChunk['type']>([
  'text-delta',
  'reasoning-delta',
  'tool-input-delta',
])

/** Chunks that carry a whole call or result: parsing and writing megabytes of one are in turns of their own. */
const WHOLE: ReadonlySet<string> = new Set<ChatChunk['type']>([
  'tool-input-available',
  'tool-output-available',
])

/** Chunks that only frame something: they show nothing, and go with what follows. */
const FRAMING: ReadonlySet<string> = new Set<ChatChunk['type']>([
  'start',
  'start-step',
  'text-start',
  'reasoning-start',
  'finish-step',
])

export const isFraming = ({ type }: ChatChunk): boolean => FRAMING.has(type)

export const isWhole = ({ type }: ChatChunk): boolean => WHOLE.has(type)

export function isGrowth(chunk: ChatChunk): boolean {
  return GROWING.has(chunk.type) || ('transient' in chunk && chunk.transient === true)
}

export function charactersIn(chunks: readonly ChatChunk[]): number {
  return chunks.reduce((sum, chunk) => sum + textLength(chunk), 0)
}

/** Of what may grow: text, and arguments with the input that they make. */
export function charactersOf(part: ChatPart): number {
  if ('text' in part) return part.text.length
  return 'rawInput' in part && typeof part.rawInput === 'string' ? 2 * part.rawInput.length : 0
}
