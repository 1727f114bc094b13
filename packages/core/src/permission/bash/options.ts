import type { PlainWord } from './plain-line.ts'

/** The paths that a command reads, or the argument with which it may do more than read. */
export type Reading = { paths: PlainWord[] } | { refused: string }

/** The options and operands with which a command only reads. What is not listed is not allowed. */
export type CommandRule = {
  /** Letters of options without a value. */
  short?: string
  /** Letters of options with a value, which is no path. */
  valued?: string
  /** Long options, separated by blanks: `name`, `name=` with a value, `name?` with one that may be attached. */
  long?: string
  /** Whether `-20` is a number. */
  digits?: true
  /** What its operands are: paths, texts, or one text and then paths. */
  operands: 'paths' | 'texts' | 'pattern' | 'none'
  most?: number
  /** None of its options, listed or not, writes or starts anything: a file name may look like one. */
  globs?: true
  /** Options with which it follows the links in a folder that it reads. */
  follows?: RegExp
}

export type Operand = { word: PlainWord; isPath: boolean }

/** The options and operands of a command's arguments; the argument that the rule does not allow when there is one. */
export function readArguments(
  rule: CommandRule,
  words: readonly PlainWord[],
): { options: string[]; operands: Operand[] } | { refused: string } {
  const read = splitArguments(rule, words)
  if ('refused' in read) return read
  const { options, operands, hasPattern } = read
  const refused = refusedOperand(rule, operands)
  if (refused !== undefined) return { refused: refused.text }
  const firstPath = rule.operands === 'pattern' && !hasPattern ? 1 : 0
  return {
    options,
    operands: operands.map((word, index) => ({
      word,
      // Names of files come out of a glob, whatever they are taken for.
      isPath: word.glob !== null || (rule.operands !== 'texts' && index >= firstPath),
    })),
  }
}

function refusedOperand(rule: CommandRule, operands: readonly PlainWord[]): PlainWord | undefined {
  if (rule.operands === 'none') return operands[0]
  // A glob may become more operands than one.
  return rule.most === undefined
    ? undefined
    : (operands[rule.most] ?? operands.find(({ glob }) => glob !== null))
}

type Split = { options: string[]; operands: PlainWord[]; hasPattern: boolean }

function splitArguments(rule: CommandRule, words: readonly PlainWord[]): Split | { refused: string } {
  const end = words.findIndex(({ text }) => text === '--')
  const before = end === -1 ? words : words.slice(0, end)
  const wild = rule.globs === true ? undefined : before.find(mayBecomeOption)
  if (wild !== undefined) return { refused: wild.text }
  const split: Split = { options: [], operands: [], hasPattern: false }
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at]
    if (word === undefined) break
    const taken = takeOption(rule, word.text)
    // The value of the last option before `--` would be that.
    if (taken === null || at + (taken?.values ?? 0) >= before.length) return { refused: word.text }
    if (taken === undefined) split.operands.push(word)
    else {
      split.options.push(word.text)
      at += taken.values
      split.hasPattern ||= taken.pattern
    }
  }
  if (end !== -1) split.operands.push(...words.slice(end + 1))
  return split
}

/** Whether a glob may expand into an option. */
function mayBecomeOption({ text, glob }: PlainWord): boolean {
  if (glob === null) return false
  return glob === 0 || (text.startsWith('-') && !/^--[a-z-]+=/.test(text.slice(0, glob)))
}

type Option = { values: 0 | 1; pattern: boolean }

/**
 * How many of the next words are its value, and whether the first operand is no pattern to search, because this is; null for an option that is not
 * listed, undefined for an operand.
 */
function takeOption(rule: CommandRule, text: string): Option | null | undefined {
  if (text === '-' || !text.startsWith('-')) return undefined
  if (text.startsWith('--')) return takeLong(rule, text.slice(2))
  if (rule.digits && /^-\d+$/.test(text)) return { values: 0, pattern: false }
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (rule.valued?.includes(letter))
      return { values: at === text.length - 1 ? 1 : 0, pattern: letter === 'e' }
    if (!rule.short?.includes(letter)) return null
  }
  return { values: 0, pattern: false }
}

function takeLong({ long = '' }: CommandRule, text: string): Option | null {
  const [name = '', value] = splitOnce(text)
  // With `--files` there is no pattern to search.
  const pattern = name === 'regexp' || name === 'expression' || name === 'files'
  const listed = long.split(' ')
  if (listed.includes(`${name}=`)) return { values: value === undefined ? 1 : 0, pattern }
  if (listed.includes(`${name}?`)) return { values: 0, pattern }
  return value === undefined && listed.includes(name) ? { values: 0, pattern } : null
}

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf('=')
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
