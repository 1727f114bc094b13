import type { ChatPart } from './message.ts'

/** Marks around a hit inside a snippet. They never occur in ordinary text. */
const HIT_START = '\u0002'
const HIT_END = '\u0003'
const BEFORE_HIT = 60
const SNIPPET_LENGTH = 200

/**
 * Scripts that are written without spaces: each of their characters is a word. Longer runs of letters are cut into words of
 * 256: a pattern without an end overflows the stack on one word several megabytes long.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]{1,256}/gv
const WRITTEN_WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]{1,256}/gv

/** A parsed search: words that must occur, and the prefix of one more. */
export type SearchTerms = { words: string[]; beginning: string }

/** The words of a text in order, without case and accents, ß as ss and every form of sigma as one. */
export function searchWords(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}{1,256}/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
      .match(WORD) ?? []
  )
}

/** Null when the query holds no word, and so finds nothing. */
export function searchTerms(query: string): SearchTerms | null {
  const words = searchWords(query)
  const beginning = words.pop()
  return beginning === undefined ? null : { words, beginning }
}

export function matchesSearch(text: string, { words, beginning }: SearchTerms): boolean {
  const present = searchWords(text)
  return words.every((word) => present.includes(word)) && present.some((word) => word.startsWith(beginning))
}

/** Characters of a message that can be searched. */
export const SEARCHED_CHARACTERS = 1_000_000

/** Different words of one slice of a text, and its characters: indexing a slice takes up to 25 ms. */
const SLICE_WORDS = 4_000
const SLICE_CHARACTERS = 100_000
/** Characters that are cut into words at once. */
const PIECE_CHARACTERS = 4_096
const LONGEST_WORD = 256
const IN_WORD = /[\p{L}\p{N}\p{M}\p{Cs}]/u

/** The searchable text of a message: the first million characters of its visible text. */
export function searchableText(parts: ChatPart[]): string {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return text.slice(0, SEARCHED_CHARACTERS)
}

/** The different words of a text from a character on, up to one slice, and the character after them. */
export function searchSlice(text: string, from: number): { words: string[]; to: number } {
  const words = new Set<string>()
  let to = from
  while (to < text.length && words.size < SLICE_WORDS && to - from < SLICE_CHARACTERS) {
    const end = wordEnd(text, to + PIECE_CHARACTERS)
    for (const word of searchWords(text.slice(to, end))) words.add(word)
    to = end
  }
  return { words: [...words], to }
}

/** The last place up to `end` where no word is cut; `end` itself when a word is too long for that. */
function wordEnd(text: string, end: number): number {
  if (end >= text.length) return text.length
  for (let at = end; at > end - LONGEST_WORD; at--) if (!IN_WORD.test(text.charAt(at))) return at
  return end
}

/** Where the words of a search are in a text, in order. */
export function searchHits(text: string, terms: SearchTerms): { start: number; end: number }[] {
  const isHit = hitTest(terms)
  return [...text.matchAll(WRITTEN_WORD)].flatMap(({ 0: written, index }) =>
    isHit(written) ? [{ start: index, end: index + written.length }] : [],
  )
}

/** Whether a word as it is written is one of a search; each different one is examined once. */
function hitTest({ words, beginning }: SearchTerms): (written: string) => boolean {
  const known = new Map<string, boolean>()
  return (written) => {
    const isHit =
      known.get(written) ??
      searchWords(written).some((word) => words.includes(word) || word.startsWith(beginning))
    known.set(written, isHit)
    return isHit
  }
}

/** About 200 characters of `text` around its first hit, with every hit between U+0002 and U+0003. */
export function searchSnippet(text: string, terms: SearchTerms): string {
  const isHit = hitTest(terms)
  const first = text.matchAll(WRITTEN_WORD).find(([written]) => isHit(written))?.index ?? 0
  const start = first <= BEFORE_HIT ? 0 : wordStart(text, first - BEFORE_HIT)
  const end = Math.min(text.length, start + SNIPPET_LENGTH)
  const marked = text
    .slice(start, end)
    .toWellFormed()
    .replaceAll(HIT_START, '')
    .replaceAll(HIT_END, '')
    .replace(WRITTEN_WORD, (written) => (isHit(written) ? `${HIT_START}${written}${HIT_END}` : written))
  return `${start > 0 ? '…' : ''}${marked.replace(/\s+/g, ' ').trim()}${end < text.length ? '…' : ''}`
}

function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + BEFORE_HIT).search(/\s\S/)
  return space === -1 ? from : from + space + 1
}
