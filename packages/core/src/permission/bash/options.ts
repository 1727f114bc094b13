import type { PlainWord } from './plain-line.ts'

/** What a command reads that only reads. */
export type Read = {
  /** The paths that it names. */
  paths: readonly PlainWord[]
  /** Words beside them that another version of the program may take for paths. */
  values?: readonly PlainWord[]
  /** Globs among the paths that become options where a file has such a name. */
  bare?: readonly PlainWord[]
  /** Options with a glob in their value, which is a text only where the glob matches no name. */
  texts?: readonly PlainWord[]
  /** Whether it follows links in the folders among the paths. */
  follows?: boolean
}

/** What a command reads, or the argument with which it may do more than read. */
export type Reading = Read | { refused: string }

/** The options and operands with which a command only reads. What is not listed is not allowed. */
export type CommandRule = {
  /** Letters of options without a value. */
  short?: string
  /** Letters of options with a value, which is no path. */
  valued?: string
  /** Letters of options whose value is a number, and attached when there is one. */
  optional?: string
  /** Long options, separated by blanks: `name`, `name=` with a value, `name?` with one that may be attached. */
  long?: string
  /** Letters of options whose value is a text in every version of the program; `all` for each option. */
  texts?: string
  /** Whether `-20` is a number. */
  digits?: true
  /** What its operands are: paths, texts, or one text and then paths. */
  operands: 'paths' | 'texts' | 'pattern' | 'none'
  most?: number
  /** None of its options, listed or not, writes or starts anything: a name that a glob matches may begin an operand. */
  globs?: true
  /** An option is one only before the first operand. */
  ordered?: true
  /** The program looks only at the first letter of an option: one letter a word. */
  alone?: true
  /** The value of an option is always the next word, be it the last letter of its word or not. */
  apart?: true
  /** It follows the links in a folder that it reads. */
  follows?: true
}

export type Operand = { word: PlainWord; isPath: boolean }

/** The options and operands of a command's arguments. */
export type Arguments = {
  options: string[]
  operands: Operand[]
  read: Read
}

/** The arguments of a command by its rule; the argument that the rule does not allow when there is one. */
export function readArguments(
  rule: CommandRule,
  words: readonly PlainWord[],
): Arguments | { refused: string } {
  const split = splitArguments(rule, words)
  if ('refused' in split) return split
  const { options, values, late, texts, bare, hasPattern } = split
  const refused = refusedOperand(rule, split.operands)
  if (refused !== undefined) return { refused: refused.text }
  const firstPath = rule.operands === 'pattern' && !hasPattern ? 1 : 0
  const operands = split.operands.map((word, index) => ({
    word,
    // Names of files come out of a glob, whatever they are taken for.
    isPath: word.glob !== null || (rule.operands !== 'texts' && index >= firstPath),
  }))
  const paths = [...operands.filter(({ isPath }) => isPath).map(({ word }) => word), ...late]
  return { options, operands, read: { paths, values, texts, bare, follows: rule.follows === true } }
}

function refusedOperand(rule: CommandRule, operands: readonly PlainWord[]): PlainWord | undefined {
  if (rule.operands === 'none') return operands[0]
  // A glob may become more operands than one.
  return rule.most === undefined
    ? undefined
    : (operands[rule.most] ?? operands.find(({ glob }) => glob !== null))
}

type Split = {
  options: string[]
  operands: PlainWord[]
  /** Values before the first operand, and those after it. */
  values: PlainWord[]
  late: PlainWord[]
  bare: PlainWord[]
  texts: PlainWord[]
  hasPattern: boolean
}

function splitArguments(rule: CommandRule, words: readonly PlainWord[]): Split | { refused: string } {
  const end = words.findIndex(({ text }) => text === '--')
  const before = end === -1 ? words : words.slice(0, end)
  const bare = before.filter(({ glob }) => glob === 0)
  const refused = refusedBefore(rule, end, bare)
  if (refused !== null) return { refused }
  const split: Split = {
    options: [],
    operands: [],
    values: [],
    late: [],
    bare,
    texts: [],
    hasPattern: false,
  }
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at]
    if (word === undefined) break
    const taken = takeOption(rule, word)
    if (taken === undefined) {
      split.operands.push(word)
      continue
    }
    if (taken === null || !addOption(rule, split, word, taken, before[at + 1])) return { refused: word.text }
    at += taken.values
  }
  if (end !== -1) split.operands.push(...words.slice(end + 1))
  return split
}

/** The end of options, or a glob before it, where the program may take that for something else. */
function refusedBefore(rule: CommandRule, end: number, bare: readonly PlainWord[]): string | null {
  // Behind an operand it is one for such a program, and for one that compares letters it is an option.
  if ((end > 0 && rule.ordered === true) || (end === 0 && rule.alone === true)) return '--'
  return rule.globs === true ? null : (bare[0]?.text ?? null)
}

/** Adds an option, and the word after it when that is its value. False for one that is not allowed there. */
function addOption(
  rule: CommandRule,
  split: Split,
  word: PlainWord,
  { values, isPattern, isText }: Option,
  next: PlainWord | undefined,
): boolean {
  const isLate = split.operands.length > 0
  if (isLate && rule.ordered === true) return false
  if (word.glob !== null) split.texts.push(word)
  split.options.push(word.text)
  split.hasPattern ||= isPattern
  if (values === 0) return true
  // The value of the last option before `--` would be that; and a glob may become more words than one.
  if (next === undefined || next.glob !== null) return false
  // Versions that take no option after an operand read it as a file.
  if (isLate && rule.texts !== 'all') split.late.push(next)
  else if (!isText) split.values.push(next)
  return true
}

type Option = {
  /** How many of the next words are its value. */
  values: 0 | 1
  /** It is what is searched for, so that the first operand is none. */
  isPattern: boolean
  /** Its value is a text in every version. */
  isText: boolean
}

const FLAG: Option = { values: 0, isPattern: false, isText: false }

/** What a word is as an option; null for one that is not listed, undefined for an operand. */
function takeOption(rule: CommandRule, { text, glob }: PlainWord): Option | null | undefined {
  if (text === '-' || !text.startsWith('-')) return undefined
  // A glob is never in the name of an option.
  if (glob !== null && !/^--[a-z-]+=/.test(text.slice(0, glob))) return null
  if (text.startsWith('--')) return takeLong(rule, text.slice(2))
  if (rule.digits && /^-\d+$/.test(text)) return FLAG
  return rule.alone === true && text.length > 2 ? null : takeLetters(rule, text)
}

function takeLetters(rule: CommandRule, text: string): Option | null {
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (rule.valued?.includes(letter)) return takeValue(rule, letter, at === text.length - 1)
    if (rule.optional?.includes(letter)) return /^\d*$/.test(text.slice(at + 1)) ? FLAG : null
    if (!rule.short?.includes(letter)) return null
  }
  return FLAG
}

function takeValue({ apart, texts }: CommandRule, letter: string, isLast: boolean): Option | null {
  if (apart === true && !isLast) return null
  const isText = texts === 'all' || texts?.includes(letter) === true
  return { values: isLast ? 1 : 0, isPattern: letter === 'e', isText }
}

/** Long options whose value is a text in every version of each program. */
const TEXTUAL = new Set(
  'regexp expression glob iglob replace include exclude exclude-dir type-add delimiter field-separator separator path-separator context-separator'.split(
    ' ',
  ),
)

function takeLong({ long = '', texts }: CommandRule, text: string): Option | null {
  const [name = '', value] = splitOnce(text)
  // With `--files` there is no pattern to search.
  const isPattern = name === 'regexp' || name === 'expression' || name === 'files'
  const isText = texts === 'all' || TEXTUAL.has(name)
  const listed = long.split(' ')
  if (listed.includes(`${name}=`)) return { values: value === undefined ? 1 : 0, isPattern, isText }
  if (listed.includes(`${name}?`)) return { values: 0, isPattern, isText }
  return value === undefined && listed.includes(name) ? { values: 0, isPattern, isText } : null
}

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf('=')
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
