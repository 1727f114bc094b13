import type { Passage, Transcript } from '../read/summarised-messages.ts'
import { middleCut, SHORT_OUTPUT } from './pieces.ts'

const BETWEEN = '\n\n'
/** Who is cut first; a passage keeps so many characters before the next in this order is cut. */
const ORDER = ['model', 'person', 'summary'] as const
const LEAST = 120
/** Characters that a passage keeps while there is room for as many of each. */
const BEGINNING = 24
const HEAD_SHARE = 0.6
const DROPPED = '[The middle of the conversation is left out here.]'

/**
 * The transcript within `characters`: what the model and its tools said is cut to a common length first, then what the person
 * said, then an earlier summary. Only where there is no room for the beginning of each, the middle is left out.
 */
export async function shortened(transcript: Transcript, characters: number): Promise<string> {
  const most = Math.floor(characters)
  const sizes: Size[] = []
  for await (const { by, text } of transcript(SHORT_OUTPUT)) sizes.push({ by, length: text.length })
  const longest = longestOf(sizes, most - BETWEEN.length * Math.max(0, sizes.length - 1))
  const texts: string[] = []
  for await (const { by, text } of transcript(SHORT_OUTPUT)) texts.push(cutTo(text, longest[by]))
  const whole = texts.join(BETWEEN)
  if (whole.length <= most) return whole
  const free = most - DROPPED.length - 2 * BETWEEN.length
  return free < 2 ? whole.slice(0, most) : middleCut(whole, free, DROPPED)
}

type Size = { by: Passage['by']; length: number }

/** The most characters that a passage of each may have, so that all together have at most `characters`. */
function longestOf(sizes: readonly Size[], characters: number): Record<Passage['by'], number> {
  const longest = {
    model: Number.POSITIVE_INFINITY,
    person: Number.POSITIVE_INFINITY,
    summary: Number.POSITIVE_INFINITY,
  }
  const over = () =>
    sizes.reduce((sum, { by, length }) => sum + Math.min(length, longest[by]), 0) - characters
  for (const next of ORDER) {
    const excess = over()
    if (excess <= 0) return longest
    const lengths = sizes.filter(({ by }) => by === next).map(({ length }) => length)
    const all = lengths.reduce((sum, length) => sum + length, 0)
    longest[next] = Math.max(LEAST, commonLength(lengths, all - excess))
  }
  if (over() <= 0) return longest
  const common = commonLength(
    sizes.map(({ length }) => length),
    characters,
  )
  const least = Math.max(BEGINNING, common)
  return { model: least, person: least, summary: least }
}

/** The length to which the longest are cut so that all together have at most `room`. */
function commonLength(lengths: readonly number[], room: number): number {
  let left = room
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - index))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

/** A text's beginning and end with a mark of how much is left out between, together at most `most` characters. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text
  const mark = (count: number) => ` [… ${count} characters left out …] `
  const kept = most - mark(text.length).length
  if (kept < BEGINNING) return `${text.slice(0, most - 1)}…`
  const head = Math.ceil(kept * HEAD_SHARE)
  return `${text.slice(0, head)}${mark(text.length - kept)}${text.slice(head - kept)}`
}
