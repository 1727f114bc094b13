import { drawnLength, type ExactPiece, exactPieces, firstPieces, lastPieces } from './exact-pieces.ts'
import { visibleText } from './visible-text.ts'

/** A line of a text as a card shows it. */
export type ShownLine =
  | { kind: 'line'; pieces: readonly ExactPiece[] }
  /** A line whose middle, of `count` characters, is folded. */
  | { kind: 'long'; head: readonly ExactPiece[]; count: number; tail: readonly ExactPiece[] }
  /** Lines in a row that are empty or hold only blanks. */
  | { kind: 'blank'; count: number }
  /** All lines from the five thousandth on, spelled. */
  | { kind: 'rest'; text: string; count: number }
  /** Lines that are folded. */
  | { kind: 'folded'; count: number }

/** How much of a text is shown before the rest of it is opened, in rows of `columns` characters. */
export type Budget = { columns: number; whole: number; head: number; tail: number }

/** Blank lines in a row that are drawn as they are. */
const DRAWN_BLANK_LINES = 2

/** Rows of a line whose middle is folded. */
const LINE_HEAD_ROWS = 3
const LINE_TAIL_ROWS = 1

/** Lines of a text that are drawn one by one; what follows is one piece, because a browser takes long to lay out many. */
const MOST_LINES = 5_000

/** All lines of a text: unseen characters spelled, many blanks and blank lines named. */
export function allLines(text: string): ShownLine[] {
  const items = itemsOf(text)
  const lines = items.slice(0, MOST_LINES).map(lineOf)
  const rest = items.slice(MOST_LINES)
  if (rest.length === 0) return lines
  const joined = rest.map((item) => (typeof item === 'number' ? '\n'.repeat(item - 1) : item)).join('\n')
  return [...lines, { kind: 'rest', text: visibleText(joined), count: sumOf(rest.map(countOf)) }]
}

/** A line of a text, or a number of blank ones. */
type Item = string | number

function itemsOf(text: string): Item[] {
  return namedLines(text.split('\n'), (line) => line)
}

function lineOf(item: Item): ShownLine {
  return typeof item === 'number'
    ? { kind: 'blank', count: item }
    : { kind: 'line', pieces: exactPieces(item) }
}

function countOf(item: Item): number {
  return typeof item === 'number' ? item : 1
}

/** The items with each run of more than two blank ones replaced by its number of lines. */
export function namedLines<T>(items: readonly T[], textOf: (item: T) => string | null): (T | number)[] {
  const named: (T | number)[] = []
  for (let at = 0; at < items.length; ) {
    let end = at
    while (end < items.length && /^[ \t]*$/.test(textOf(items[end] as T) ?? 'x')) end++
    if (end - at > DRAWN_BLANK_LINES) {
      named.push(end - at)
      at = end
    } else {
      named.push(items[at] as T)
      at++
    }
  }
  return named
}

/** Head and tail of a text that is longer than the budget; all lines of any other. */
export function foldedLines(text: string, budget: Budget): ShownLine[] {
  const items = itemsOf(text)
  const { columns, whole } = budget
  if (items.length <= whole) {
    const lines = items.map(lineOf)
    if (sumOf(lines.map((line) => rowsOf(line, columns))) <= whole) return lines
  }
  const isNear = (at: number) => at < whole || at >= items.length - whole
  const short = items.map((item, at) => (isNear(at) ? foldLine(lineOf(item), columns) : UNREAD))
  const places = foldPlaces(
    short.map((line) => rowsOf(line, columns)),
    budget,
  )
  if (places === null) return short
  const end = items.length - places.tail
  const count = sumOf(items.slice(places.head, end).map(countOf))
  return [...short.slice(0, places.head), { kind: 'folded', count }, ...short.slice(end)]
}

/** In the place of a line that is folded in any case. */
const UNREAD: ShownLine = { kind: 'line', pieces: [] }

/** How many of the first and of the last items stay when the others are folded; null when all fit. */
export function foldPlaces(
  rows: readonly number[],
  { whole, head, tail }: Pick<Budget, 'whole' | 'head' | 'tail'>,
): { head: number; tail: number } | null {
  if (rows.length < 3 || sumOf(rows) <= whole) return null
  const first = fitting(rows.slice(0, -2), head)
  const last = fitting(rows.slice(first + 1).toReversed(), tail)
  return { head: first, tail: last }
}

/** How many of the items fit; at least one. */
function fitting(rows: readonly number[], most: number): number {
  let sum = 0
  const over = rows.findIndex((count) => {
    sum += count
    return sum > most
  })
  return Math.max(1, over === -1 ? rows.length : over)
}

/** A line that takes many rows, with its middle folded. */
export function foldLine(line: ShownLine, columns: number): ShownLine {
  const most = columns * (LINE_HEAD_ROWS + LINE_TAIL_ROWS + 1)
  if (line.kind !== 'line' || drawnLength(line.pieces) <= most) return line
  const head = firstPieces(line.pieces, columns * LINE_HEAD_ROWS)
  const tail = lastPieces(line.pieces, columns * LINE_TAIL_ROWS)
  const count = drawnLength(line.pieces) - drawnLength(head) - drawnLength(tail)
  return { kind: 'long', head, count, tail }
}

export function rowsOf(line: ShownLine, columns: number): number {
  switch (line.kind) {
    case 'line':
      return Math.max(1, Math.ceil(drawnLength(line.pieces) / columns))
    case 'long':
      return LINE_HEAD_ROWS + LINE_TAIL_ROWS + 1
    default:
      return 1
  }
}

export function lineCount(line: ShownLine): number {
  return line.kind === 'line' || line.kind === 'long' ? 1 : line.count
}

export function hasFolds(lines: readonly ShownLine[]): boolean {
  return lines.some(({ kind }) => kind === 'folded' || kind === 'long')
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
