import { readGit } from './git-commands.ts'
import { readArguments } from './options.ts'
import type { PlainWord } from './plain-line.ts'

/** The paths that a command reads, or the argument with which it may do more than read. */
export type Reading = { paths: PlainWord[] } | { refused: string }

const NOTHING: Reading = { paths: [] }

const FIND_FLAGS = new Set(
  'not ! o or a and print print0 prune empty depth xdev mount true false ls quit ( ) daystart nouser nogroup readable writable executable'.split(
    ' ',
  ),
)
const FIND_VALUES = new Set(
  'name iname path ipath wholename iwholename regex iregex regextype type size mtime mmin atime amin ctime cmin maxdepth mindepth perm user group uid gid links inum printf newermt'.split(
    ' ',
  ),
)

/** Predicates of find that only test and print; `-exec`, `-delete`, `-fprint` and all others are not among them. */
function readFind(words: readonly PlainWord[]): Reading {
  const wild = words.find(({ glob }) => glob === 0)
  if (wild !== undefined) return { refused: wild.text }
  const first = words.findIndex(({ text }) => /^[-(!]/.test(text))
  const paths = first === -1 ? words : words.slice(0, first)
  const tests = first === -1 ? [] : words.slice(first)
  for (let at = 0; at < tests.length; at += 1) {
    const { text = '', glob = null } = tests[at] ?? {}
    const name = text.startsWith('-') ? text.slice(1) : text
    if (glob !== null) return { refused: text }
    if (FIND_FLAGS.has(name)) continue
    if (!text.startsWith('-') || !FIND_VALUES.has(name) || tests[at + 1] === undefined)
      return { refused: text }
    at += 1
  }
  return { paths: [...paths] }
}

/** Commands of sed that print, delete or replace; `w`, `e`, `r` and `R` are not among them. */
/** A list of characters without what would make its end, or a `/` in it, a question of the version of sed. */
const SED_LIST_ITEM = String.raw`(?:[^[\]\\/\n]|\[:[a-z]+:\])`
const SED_LIST = String.raw`\[\^?(?:\]|(?!\^)${SED_LIST_ITEM})${SED_LIST_ITEM}*\]`
const SED_REGEX = String.raw`(?:[^/\\\n[]|\\[^\n]|${SED_LIST})*`
const SED_ADDRESS = String.raw`(?:\d+|\$|/${SED_REGEX}/)`
const SED_COMMAND = String.raw`(?:${SED_ADDRESS}(?:,(?:${SED_ADDRESS}|\+\d+))?)?!?(?:[pdq=]|s/${SED_REGEX}/(?:[^/\\\n]|\\[^\n])*/[gpIi\d]*)`
const SED_EXPRESSION = /^(?:-[nErsuz]*e|--expression)$/
const SED_OPTION = /^(?:-[nErsuz]+|-[nErsuz]*e|--quiet|--silent|--regexp-extended|--expression)$/
/** Characters of a script that is checked. */
const MAX_SCRIPT = 500
const SED_SCRIPT = new RegExp(String.raw`^\s*${SED_COMMAND}(?:\s*;\s*${SED_COMMAND})*\s*;?\s*$`)

function readSed(words: readonly PlainWord[]): Reading {
  const scripts = words.filter((_, at) => SED_EXPRESSION.test(words[at - 1]?.text ?? ''))
  const rest = words.filter((word) => !scripts.includes(word) && !SED_OPTION.test(word.text))
  const files = scripts.length > 0 ? rest : rest.slice(1)
  const checked = scripts.length > 0 ? scripts : rest.slice(0, 1)
  const refused =
    checked.find(({ text, glob }) => glob !== null || text.length > MAX_SCRIPT || !SED_SCRIPT.test(text)) ??
    files.find(({ text, glob }) => glob === 0 || /^-./.test(text))
  return refused === undefined && checked.length > 0 ? { paths: files } : { refused: refused?.text ?? '' }
}

/** Programs of awk that print columns. */
const AWK_PROGRAM =
  /^\s*(?:NR\s*[<>=]=?\s*\d+\s*|\/[^/\\\n]*\/\s*|END\s*)?\{\s*print(?:\s+(?:\$(?:\d+|NF)|NR)(?:\s*,\s*(?:\$(?:\d+|NF)|NR))*)?\s*;?\s*\}\s*$/

function readAwk(words: readonly PlainWord[]): Reading {
  const read = readArguments({ valued: 'F', operands: 'pattern' }, words)
  if ('refused' in read) return read
  const [program, ...files] = read.operands
  if (
    program === undefined ||
    program.word.glob !== null ||
    program.word.text.length > MAX_SCRIPT ||
    !AWK_PROGRAM.test(program.word.text)
  )
    return { refused: program?.word.text ?? '' }
  return { paths: files.map(({ word }) => word) }
}

/** Lists an archive. A name with a colon would be one on another host. */
function readTar(words: readonly PlainWord[]): Reading {
  const [flags, archive, ...members] = words
  const odd = [archive, ...members].find(
    (word) => word === undefined || word.glob !== null || /^-|:/.test(word.text),
  )
  if (flags === undefined || archive === undefined || !/^-?[vzjJ]*t[vzjJ]*f$/.test(flags.text))
    return { refused: flags?.text ?? '' }
  return odd === undefined ? { paths: [archive] } : { refused: odd.text }
}

function readUnzip(words: readonly PlainWord[]): Reading {
  const [option, archive, ...more] = words
  return option?.text === '-l' && archive?.glob === null && /^[^-]/.test(archive.text) && more.length === 0
    ? { paths: [archive] }
    : { refused: option?.text ?? '' }
}

/** An operand that begins with `@` is a file of options. */
function readStrings(words: readonly PlainWord[]): Reading {
  const odd = words.find(({ text, glob }) => text.startsWith('@') || glob === 0)
  if (odd !== undefined) return { refused: odd.text }
  const read = readArguments({ short: 'af', valued: 'nt', operands: 'paths' }, words)
  return 'refused' in read ? read : { paths: read.operands.map(({ word }) => word) }
}

/** A filter of jq cannot write; it can read its environment and modules. */
function readJq(words: readonly PlainWord[]): Reading {
  const rule = {
    short: 'rcnsMCSeaj',
    long: 'raw-output compact-output null-input slurp sort-keys tab exit-status color-output monochrome-output join-output',
    operands: 'pattern',
  } as const
  const read = readArguments(rule, words)
  if ('refused' in read) return read
  const [filter, ...files] = read.operands
  if (
    filter === undefined ||
    filter.word.glob !== null ||
    /\b(env|ENV|import|include|input_filename)\b|\$__/.test(filter.word.text)
  )
    return { refused: filter?.word.text ?? '' }
  return { paths: files.map(({ word }) => word) }
}

/** Only forms whose operands bash takes as texts: others evaluate subscripts, and with them commands. */
function readTest(words: readonly PlainWord[]): Reading {
  const [first, second, third, ...more] = words
  if (first === undefined || more.length > 0 || words.some(({ glob }) => glob !== null))
    return { refused: first?.text ?? '' }
  if (second === undefined) return first.text.startsWith('-') ? { refused: first.text } : NOTHING
  if (third === undefined) {
    if (/^-[nz]$/.test(first.text)) return NOTHING
    return /^-[defhLrswxbcpS]$/.test(first.text) ? { paths: [second] } : { refused: first.text }
  }
  return /^(=|==|!=)$/.test(second.text) ? NOTHING : { refused: second.text }
}

/** `-s` sets the clock, `-f` and `-r` take files. */
const DATE_ARGUMENT = /^(?:-u|--utc|-R|-I\w*|--iso-8601(?:=\w+)?|-d|--date=.*|\+.*)$/s

function readDate(words: readonly PlainWord[]): Reading {
  const odd = words.find(
    ({ text, glob }, at) => glob !== null || (words[at - 1]?.text !== '-d' && !DATE_ARGUMENT.test(text)),
  )
  return odd === undefined ? NOTHING : { refused: odd.text }
}

function readPs(words: readonly PlainWord[]): Reading {
  const all = words.map(({ text }) => text).join(' ')
  return ['', 'aux', 'ax', '-e', '-f', '-ef', '-A'].includes(all) ? NOTHING : { refused: all }
}

/** Whatever it is given it prints. */
function readEcho(words: readonly PlainWord[]): Reading {
  return { paths: words.filter(({ glob }) => glob !== null) }
}

/** Formats that print; others set variables. */
const FORMAT = /^(?!-)(?:[^%]|%%|%-?\d*(?:\.\d+)?[sdxcbq])*$/s

function readPrintf(words: readonly PlainWord[]): Reading {
  const [format] = words
  return format === undefined ||
    format.glob !== null ||
    format.text.length > MAX_SCRIPT ||
    !FORMAT.test(format.text)
    ? { refused: format?.text ?? '' }
    : readEcho(words)
}

/** `command -v name` finds a name; without the option it runs it. */
function readCommand(words: readonly PlainWord[]): Reading {
  const [option, ...names] = words
  return /^-[vV]$/.test(option?.text ?? '') && names.every(({ glob }) => glob === null)
    ? NOTHING
    : { refused: option?.text ?? '' }
}

function readSleep(words: readonly PlainWord[]): Reading {
  const [time] = words
  return words.length === 1 && /^\d{1,3}(\.\d+)?s?$/.test(time?.text ?? '')
    ? NOTHING
    : { refused: time?.text ?? '' }
}

/** Commands whose arguments follow rules of their own. */
export const SPECIAL_COMMANDS: ReadonlyMap<string, (words: readonly PlainWord[]) => Reading> = new Map([
  ['find', readFind],
  ['sed', readSed],
  ['awk', readAwk],
  ['tar', readTar],
  ['unzip', readUnzip],
  ['strings', readStrings],
  ['jq', readJq],
  ['test', readTest],
  [
    '[',
    (words: readonly PlainWord[]): Reading =>
      words.at(-1)?.text === ']' ? readTest(words.slice(0, -1)) : { refused: words.at(-1)?.text ?? '' },
  ],
  ['date', readDate],
  ['ps', readPs],
  ['echo', readEcho],
  ['true', readEcho],
  ['false', readEcho],
  ['printf', readPrintf],
  ['command', readCommand],
  ['sleep', readSleep],
  ['git', readGit],
])
