import type { ChatMessage } from '../../domain/message.ts'
import { toTranscript } from './transcript.ts'

/** Characters of a tool's output that are left once the summariser's input has turned out too large. */
const SHORT_OUTPUT = 500
/** Characters of a token, taken low so that a piece surely fits. */
const CHARACTERS_PER_TOKEN = 3
/** Share of what may be said that goes to the beginning when the middle is dropped. */
const HEAD_SHARE = 0.3

/** Characters that a request of so many tokens may have. */
export function charactersFor(tokens: number): number {
  return Math.max(1, Math.floor(tokens * CHARACTERS_PER_TOKEN))
}

export function shortTranscript(messages: readonly ChatMessage[]): string {
  return toTranscript(messages, SHORT_OUTPUT)
}

/** The transcript in consecutive pieces of at most `characters`, cut between messages where that is possible. */
export function toPieces(messages: readonly ChatMessage[], characters: number): string[] {
  const pieces: string[] = []
  for (const message of messages) {
    const text = shortTranscript([message])
    const last = pieces.at(-1)
    if (last !== undefined && last.length + text.length + 2 <= characters)
      pieces[pieces.length - 1] = `${last}\n\n${text}`
    else
      for (let start = 0; start < text.length; start += characters)
        pieces.push(text.slice(start, start + characters))
  }
  return pieces
}

/** Consecutive texts in groups of at most `characters` together; one that is larger alone stands alone. */
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

/** Beginning and end of the transcript, together at most about `characters`. */
export function withoutMiddle(messages: readonly ChatMessage[], characters: number): string {
  const text = shortTranscript(messages)
  if (text.length <= characters) return text
  const head = Math.floor(characters * HEAD_SHARE)
  const tail = Math.floor(characters) - head
  return `${text.slice(0, head)}\n\n[The middle of the conversation is left out here.]\n\n${text.slice(-tail)}`
}
