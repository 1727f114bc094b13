import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { cutString } from '../../domain/values/cut-string.ts'

type Part = LanguageModelV4StreamPart

/** Characters of a delta that are passed on at once: parsed, stored and published within milliseconds. */
const PIECE_CHARACTERS = 128 * 1024

/**
 * Characters of a text after which the rest of it is a part of its own: parts are stored, read and sent whole. A thought
 * stays one part, since its signature is for all of it.
 */
export const TEXT_PART_CHARACTERS = 1_000_000

/** Cuts the parts of one answer: large deltas into pieces, and long texts into several. */
export function createPartCutter(): (part: Part) => Part[] {
  /** Characters of the texts that are open, by id; `continued` are those that began as another part. */
  const open = new Map<string, { characters: number; continued: boolean }>()

  function cutText(part: Extract<Part, { type: 'text-delta' }>): Part[] {
    const { id, delta } = part
    const text = open.get(id) ?? { characters: 0, continued: false }
    open.set(id, text)
    return cutDelta(part, delta).flatMap((piece) => {
      const { length } = piece.delta
      const isFull = text.characters > 0 && text.characters + length > TEXT_PART_CHARACTERS
      text.characters = isFull ? length : text.characters + length
      if (!isFull) return [piece]
      text.continued = true
      return [{ type: 'text-end', id }, { type: 'text-start', id }, piece]
    })
  }

  return (part) => {
    switch (part.type) {
      case 'text-delta':
        return cutText(part)
      case 'text-end': {
        const text = open.get(part.id)
        open.delete(part.id)
        // A provider's id of the text may stand at one part only.
        return text?.continued ? [{ type: part.type, id: part.id }] : [part]
      }
      case 'reasoning-delta':
      case 'tool-input-delta':
        return cutDelta(part, part.delta)
      default:
        return [part]
    }
  }
}

function cutDelta<T extends { delta: string }>(part: T, delta: string): T[] {
  if (delta.length <= PIECE_CHARACTERS) return [part]
  return cutString(delta, PIECE_CHARACTERS).map((piece) => ({ ...part, delta: piece }))
}
