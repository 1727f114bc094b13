import type { PendingPermission } from '@palimpsest/core/domain'
import { diffLines } from '../diff/diff-lines.ts'
import { allRows, type DiffRow, foldedRows } from '../diff/shown-diff.ts'
import {
  allLines,
  type Budget,
  foldedLines,
  foldPlaces,
  hasFolds,
  rowsOf,
  type ShownLine,
} from '../exact/shown-lines.ts'
import { toJson } from '../tool/tool-part.ts'

/** A part of what an ask shows. */
export type AskSection =
  | { kind: 'reason'; lines: readonly ShownLine[] }
  /** Long patterns of lasting replies, to choose from. */
  | { kind: 'patterns'; patterns: readonly { pattern: string; lines: readonly ShownLine[] }[] }
  /** An argument; that of a command needs no name. */
  | { kind: 'argument'; name: string; unnamed: boolean; lines: readonly ShownLine[] }
  /** Numbers and switches. */
  | { kind: 'short'; entries: readonly (readonly [string, number | boolean])[] }
  | { kind: 'diff'; rows: readonly DiffRow[] }
  /** The call has no arguments. */
  | { kind: 'none' }
  /** The difference is cut: the arguments below it are whole. */
  | { kind: 'cut' }
  /** Arguments that are folded. */
  | { kind: 'folded'; count: number }

/** What an ask shows, and whether anything of it is folded. */
export type AskView = { sections: readonly AskSection[]; folded: boolean }

/** The arguments that say most by themselves; they come before all others. */
const COMMANDS = ['command', 'cmd', 'script']

/** Numbers and switches that are shown in one line; of more each has its own. */
const MOST_SHORT = 8

/** Rows of a reason and of a pattern before they are folded, as shares of the budget of a text. */
const WORDS_SHARE = 0.5

/**
 * All of what a call will do, in the order in which it is read: why it is asked, the change or the arguments, and long patterns
 * of lasting replies. With a budget each part that exceeds it is folded, as are arguments when there are many.
 */
export function askView(permission: PendingPermission, budget: Budget | null): AskView {
  const { args, change, reason, patterns } = permission
  const words = budget && {
    ...budget,
    whole: budget.whole * WORDS_SHARE,
    head: budget.head * WORDS_SHARE,
    tail: budget.tail * WORDS_SHARE,
  }
  const cut = isCut(permission)
  const own = change === undefined || cut ? argumentsOf(args, budget) : []
  const sections: AskSection[] = [
    { kind: 'reason', lines: linesOf(reason, words) },
    ...(change === undefined ? [] : [{ kind: 'diff' as const, rows: rowsOfChange(change.diff, budget) }]),
    ...(cut ? [{ kind: 'cut' as const }] : []),
    ...(budget === null ? own : fewArguments(own, budget)),
    ...(isCut(permission) || patternsFit(patterns) ? [] : [patternsOf(patterns, words)]),
  ]
  return { sections, folded: sections.some(isFolded) }
}

/** Whether the difference of a change is not shown whole: then only this one call may be allowed. */
export function isCut({ change }: PendingPermission): boolean {
  return change?.truncated === true
}

/** Characters of patterns that are shown beside the replies. */
const PATTERNS_CHARACTERS = 240

/** Whether the patterns of lasting replies have a place beside the replies. */
export function patternsFit(patterns: readonly string[]): boolean {
  const all = patterns.join(' ')
  return all.length <= PATTERNS_CHARACTERS && !all.includes('\n')
}

function patternsOf(patterns: readonly string[], budget: Budget | null): AskSection {
  return {
    kind: 'patterns',
    patterns: patterns.map((pattern) => ({ pattern, lines: linesOf(pattern, budget) })),
  }
}

function linesOf(text: string, budget: Budget | null): ShownLine[] {
  return budget === null ? allLines(text) : foldedLines(text, budget)
}

function rowsOfChange(diff: string, budget: Budget | null): DiffRow[] {
  const lines = diffLines(diff)
  return budget === null ? allRows(lines) : foldedRows(lines, budget)
}

/** Every argument, whole: a command first, then text as it is and all else as JSON, then numbers and switches. */
function argumentsOf(args: object, budget: Budget | null): AskSection[] {
  const entries: [string, unknown][] = Object.entries(args)
  if (entries.length === 0) return [{ kind: 'none' }]
  const isCommand = ([name]: [string, unknown]) => COMMANDS.includes(name)
  const short = entries.filter(isShort)
  const long = short.length > MOST_SHORT ? entries : entries.filter((entry) => !isShort(entry))
  const sections = [...long.filter(isCommand), ...long.filter((entry) => !isCommand(entry))].map(
    ([name, value]): AskSection => ({
      kind: 'argument',
      name,
      unnamed: COMMANDS.includes(name) && typeof value === 'string',
      lines: linesOf(typeof value === 'string' ? value : toJson(value), budget),
    }),
  )
  if (short.length === 0 || short.length > MOST_SHORT) return sections
  return [...sections, { kind: 'short', entries: short }]
}

function isShort(entry: [string, unknown]): entry is [string, number | boolean] {
  const [name, value] = entry
  return (typeof value === 'number' || typeof value === 'boolean') && name.length <= PATTERNS_CHARACTERS / 10
}

/** The first and the last of arguments that together exceed the budget of two texts. */
function fewArguments(sections: readonly AskSection[], budget: Budget): AskSection[] {
  const rows = sections.map((section) =>
    'lines' in section ? 1 + section.lines.reduce((sum, line) => sum + rowsOf(line, budget.columns), 0) : 1,
  )
  const places = foldPlaces(rows, { whole: budget.whole * 2, head: budget.whole, tail: budget.tail })
  if (places === null) return [...sections]
  const count = sections.length - places.head - places.tail
  return [
    ...sections.slice(0, places.head),
    { kind: 'folded', count },
    ...sections.slice(sections.length - places.tail),
  ]
}

function isFolded(section: AskSection): boolean {
  switch (section.kind) {
    case 'folded':
      return true
    case 'diff':
      return hasFolds(section.rows.map(({ line }) => line))
    case 'patterns':
      return section.patterns.some(({ lines }) => hasFolds(lines))
    default:
      return 'lines' in section && hasFolds(section.lines)
  }
}
