import { UNSEEN, visibleText } from './visible-text.ts'

/** A piece of one line as it is drawn. */
export type ExactPiece =
  | { kind: 'text'; text: string }
  /** Letters that are read from right to left, without what is between them. */
  | { kind: 'rtl'; text: string }
  /** Codes of characters that are not seen. */
  | { kind: 'code'; text: string }
  /** Blanks that are named instead of drawn. */
  | { kind: 'blanks'; of: 'spaces' | 'tabs' | 'blanks'; count: number }

/** Blanks in a row that are drawn as they are, between words and as indentation. */
const DRAWN_BLANKS = 16
const DRAWN_INDENT = 40

/** Pieces of one line; what follows is one more, because a browser takes long to lay out many. */
const MOST_PIECES = 2_000

const RTL = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`
const SPECIAL = new RegExp(
  `(?<codes>(?:${UNSEEN})+)|(?<rtl>(?:(?!${UNSEEN})${RTL})+)|[ \\t]{${DRAWN_BLANKS + 1},}|[ \\t]+$`,
  'gu',
)

/** Most lines are this, which takes less time to find. */
const PLAIN = /^(?:[!-~]+ )*[!-~]*(?<! )$/

/** One line in pieces: unseen characters as codes, many blanks and those at its end named, all else as it is. */
export function exactPieces(line: string): ExactPiece[] {
  if (PLAIN.test(line)) return line === '' ? [] : [{ kind: 'text', text: line }]
  const pieces: ExactPiece[] = []
  let end = 0
  for (const { 0: found, index, groups = {} } of line.matchAll(SPECIAL)) {
    if (isIndent(found, index, line)) continue
    if (pieces.length >= MOST_PIECES) break
    if (index > end) pieces.push({ kind: 'text', text: line.slice(end, index) })
    end = index + found.length
    pieces.push(toPiece(found, groups))
  }
  if (end < line.length) pieces.push({ kind: 'text', text: visibleText(line.slice(end)) })
  return pieces
}

function toPiece(found: string, groups: Partial<Record<string, string>>): ExactPiece {
  if (groups['codes'] !== undefined) return { kind: 'code', text: visibleText(found) }
  if (groups['rtl'] !== undefined) return { kind: 'rtl', text: found }
  return { kind: 'blanks', of: nameOf(found), count: found.length }
}

function isIndent(found: string, index: number, line: string): boolean {
  return index === 0 && found.length <= DRAWN_INDENT && found.length < line.length && /^[ \t]/.test(found)
}

function nameOf(blanks: string): 'spaces' | 'tabs' | 'blanks' {
  if (/^ +$/.test(blanks)) return 'spaces'
  return /^\t+$/.test(blanks) ? 'tabs' : 'blanks'
}

/** Characters that a name of blanks takes, about. */
const NAME_CHARACTERS = 12

/** How many characters pieces take when they are drawn. */
export function drawnLength(pieces: readonly ExactPiece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
}

/** The first `count` drawn characters, or fewer; nothing but a text is cut, and that at no half of a character. */
export function firstPieces(pieces: readonly ExactPiece[], count: number): ExactPiece[] {
  const first: ExactPiece[] = []
  let left = count
  for (const piece of pieces) {
    if (lengthOf(piece) > left) {
      const text = piece.kind === 'text' ? wholeCharacters(piece.text.slice(0, left)) : ''
      return text === '' ? first : [...first, { kind: 'text', text }]
    }
    first.push(piece)
    left -= lengthOf(piece)
  }
  return first
}

/** The last `count` drawn characters, or fewer. */
export function lastPieces(pieces: readonly ExactPiece[], count: number): ExactPiece[] {
  const last: ExactPiece[] = []
  let left = count
  for (const piece of pieces.toReversed()) {
    if (lengthOf(piece) > left) {
      const text = piece.kind === 'text' && left > 0 ? wholeCharacters(piece.text.slice(-left)) : ''
      return text === '' ? last : [{ kind: 'text', text }, ...last]
    }
    last.unshift(piece)
    left -= lengthOf(piece)
  }
  return last
}

function lengthOf(piece: ExactPiece): number {
  return piece.kind === 'blanks' ? NAME_CHARACTERS : piece.text.length
}

/** Without the half of a character at an end that was cut. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}
