import type { OutputCut, Transcript } from '../read/summarised-messages.ts'

/** Characters of a tool's output that are left once the summariser's input has turned out too large. */
export const SHORT_OUTPUT = 500
/** Characters of a token, taken low so that a piece surely fits. */
const CHARACTERS_PER_TOKEN = 3
/** Share of what may be said that goes to the beginning when the middle is dropped. */
const HEAD_SHARE = 0.3
const BETWEEN = '\n\n'

/** Characters that a request of so many tokens may have. */
export function charactersFor(tokens: number): number {
  return Math.max(1, Math.floor(tokens * CHARACTERS_PER_TOKEN))
}

/** The whole transcript; null when it has more than `characters`, which is found out without reading on. */
export async function wholeWithin(
  transcript: Transcript,
  cut: OutputCut,
  characters: number,
): Promise<string | null> {
  const texts: string[] = []
  let length = -BETWEEN.length
  for await (const { text } of transcript(cut)) {
    length += BETWEEN.length + text.length
    if (length > characters) return null
    texts.push(text)
  }
  return texts.join(BETWEEN)
}

/** The transcript in consecutive pieces of at most `characters`, cut between messages where that is possible. */
export async function* toPieces(transcript: Transcript, characters: number): AsyncGenerator<string> {
  let piece = ''
  for await (const { text } of transcript(SHORT_OUTPUT)) {
    if (piece !== '' && piece.length + BETWEEN.length + text.length <= characters) {
      piece += `${BETWEEN}${text}`
      continue
    }
    if (piece !== '') yield piece
    const ends = Math.max(0, Math.ceil(text.length / characters) - 1) * characters
    for (let start = 0; start < ends; start += characters) yield text.slice(start, start + characters)
    piece = text.slice(ends)
  }
  if (piece !== '') yield piece
}

/** Consecutive texts in groups of at most `characters` together; a larger one is a group of its own. */
export function groupBySize<T extends { text: string }>(texts: readonly T[], characters: number): T[][] {
  const groups: T[][] = []
  let size = 0
  for (const text of texts) {
    const last = groups.at(-1)
    size += text.text.length
    if (last !== undefined && size <= characters) last.push(text)
    else {
      groups.push([text])
      size = text.text.length
    }
  }
  return groups
}

/** Beginning and end of the transcript, together at most about `characters`; no more of it is held than that. */
export async function withoutMiddle(transcript: Transcript, characters: number): Promise<string> {
  const headLength = Math.floor(characters * HEAD_SHARE)
  const tailLength = Math.floor(characters) - headLength
  let head = ''
  let tail = ''
  let length = 0
  for await (const passage of transcript(SHORT_OUTPUT)) {
    const text = length === 0 ? passage.text : `${BETWEEN}${passage.text}`
    const fits = headLength - head.length
    length += text.length
    head += text.slice(0, fits)
    tail += text.slice(fits)
    if (tail.length > 2 * tailLength) tail = tail.slice(-tailLength)
  }
  if (length <= characters) return `${head}${tail}`
  return `${head}\n\n[The middle of the conversation is left out here.]\n\n${tail.slice(-tailLength)}`
}

/** A text's beginning and end, together at most about `characters`, with a notice of what is missing between. */
export function middleCut(text: string, characters: number, notice: string): string {
  if (text.length <= characters) return text
  const head = Math.floor(characters * HEAD_SHARE)
  const tail = Math.floor(characters) - head
  return `${text.slice(0, head)}\n\n${notice}\n\n${text.slice(-tail)}`
}
