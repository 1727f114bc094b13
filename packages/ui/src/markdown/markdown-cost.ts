import { FENCE } from './split-settled.ts'

/**
 * What a parse may take. Measured with remark on two shared cores: nested emphasis and brackets take time with the
 * square of their signs in one block, lists and lazy quotes with that of their lines. At these bounds the slowest
 * generated text takes about 0.3 s.
 */
const MOST = {
  /** Characters of a piece, and of its text outside fences. */
  characters: 80_000,
  textCharacters: 24_000,
  /** Of what ends with an empty line. */
  blockLines: 500,
  blockPipes: 3_000,
  /** Of a paragraph, an item of a list or a row of a table in it: signs are matched with each other in these. */
  runCharacters: 12_000,
  runSigns: 1_000,
  /** Lines of a piece outside fences, quotes and lists around one line, and all of them in a piece. */
  lines: 1_000,
  depth: 30,
  containers: 5_000,
} as const

const SIGNS = new Set('*_~[]<`$&\\!@')
const CONTAINERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/
/** Within these a fence is no fence. */
const HIDES_FENCES = /^ {0,3}(?:<|\$\$)/m
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** `first` is its first line, `inside` the column at which the text of its last list item begins. */
const NO_BLOCK = { first: '', lines: 0, pipes: 0, inside: 0, isTable: false, characters: 0, signs: 0 }

/** How much work a piece of markdown is, in characters times signs of its blocks; infinite beyond what is parsed at all. */
export function markdownCost(piece: string): number {
  if (piece.length > MOST.characters) return Number.POSITIVE_INFINITY
  const trustsFences = !HIDES_FENCES.test(piece)
  let fence = ''
  let total = { characters: 0, lines: 0, containers: 0, cost: 0 }
  let block = NO_BLOCK
  for (const line of piece.split('\n')) {
    const wasFenced = fence !== ''
    if (trustsFences) fence = fenceAfter(fence, line)
    if (wasFenced || fence !== '') continue
    if (line.trim() === '') {
      block = NO_BLOCK
      continue
    }
    const { signs, pipes } = countSigns(line)
    const depth = depthOf(line)
    block = withLine(block, line, signs, pipes)
    total = {
      characters: total.characters + line.length,
      lines: total.lines + 1,
      containers: total.containers + depth,
      cost: total.cost + block.characters * (1 + signs),
    }
    if (depth > MOST.depth || isBeyond(block, total)) return Number.POSITIVE_INFINITY
  }
  return total.cost
}

type Block = typeof NO_BLOCK

function withLine(block: Block, line: string, signs: number, pipes: number): Block {
  const item = ITEM.exec(line)
  const isItem = item !== null && (item[1]?.length ?? 0) <= block.inside + 3
  const isTable = block.isTable || (block.lines === 1 && isTableHead(block.first, line))
  const begins = isItem || isTable
  return {
    first: block.lines === 0 ? line : block.first,
    lines: block.lines + 1,
    pipes: block.pipes + pipes,
    inside: isItem ? item[0].length : block.inside,
    isTable,
    characters: line.length + (begins ? 0 : block.characters),
    signs: signs + (begins ? 0 : block.signs),
  }
}

/** Whether two lines begin a table: as many cells in both, and none that hides a mark of a cell. */
function isTableHead(head: string, delimiters: string): boolean {
  if (!delimiters.includes('|') || /[\\`]/.test(head) || !DELIMITERS.test(delimiters)) return false
  return cellsOf(head) === cellsOf(delimiters)
}

function cellsOf(row: string): number {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length
}

type Total = { characters: number; lines: number; containers: number }

function isBeyond(block: Block, total: Total): boolean {
  return (
    block.characters > MOST.runCharacters ||
    block.signs > MOST.runSigns ||
    block.lines > MOST.blockLines ||
    block.pipes > MOST.blockPipes ||
    total.characters > MOST.textCharacters ||
    total.lines > MOST.lines ||
    total.containers > MOST.containers
  )
}

/** Quotes and lists that a line opens, and those that its indentation may continue. */
function depthOf(line: string): number {
  const [opened = ''] = CONTAINERS.exec(line) ?? []
  if (opened === '') return 0
  const marks = opened.match(/>|[-*+]|\d+/g)?.length ?? 0
  const indent = opened.match(/[ \t]/g)?.length ?? 0
  return marks + Math.max(0, indent - marks) / 2
}

function countSigns(line: string): { signs: number; pipes: number } {
  let signs = 0
  let pipes = 0
  for (const character of line) {
    if (SIGNS.has(character)) signs += 1
    else if (character === '|') pipes += 1
  }
  return { signs, pipes }
}

/** As `split-settled` follows fences, but that a backtick behind its mark makes it none. */
function fenceAfter(open: string, line: string): string {
  const mark = FENCE.exec(line)?.[1]
  if (mark === undefined) return open
  if (open !== '') return mark.startsWith(open) && line.trim() === mark ? '' : open
  return mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`') ? '' : mark
}
