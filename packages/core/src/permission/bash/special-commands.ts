import { readDate, readPs } from './date-and-ps.ts'
import { readGit } from './git-commands.ts'
import { type Reading, readArguments } from './options.ts'
import type { PlainWord } from './plain-line.ts'
import { MAX_SCRIPT, readAwk, readSed } from './script-commands.ts'

const NOTHING: Reading = { paths: [] }

const FIND_FLAGS = new Set(
  'not ! o or a and print print0 prune empty depth xdev mount true false ls quit ( ) daystart nouser nogroup readable writable executable'.split(
    ' ',
  ),
)
const FIND_VALUES = new Set(
  'name iname path ipath wholename iwholename regex iregex regextype type size mtime mmin atime amin ctime cmin maxdepth mindepth perm user group uid gid links inum printf newermt newerat newerct lname ilname xtype fstype used'.split(
    ' ',
  ),
)

const FIND_NAMES = new Set(['name', 'iname'])
const FIND_FILES = new Set(['newer', 'anewer', 'cnewer', 'samefile'])
/** No predicate has a dot, so that no name with this end is one. */
const FIND_ENDING = /^[*?]+(?:\.\w+)+$/

/** Predicates of find that only test and print; `-exec`, `-delete`, `-fprint` and all others are not among them. */
function readFind(words: readonly PlainWord[]): Reading {
  const wild = words.find(({ text, glob }) => glob === 0 && !FIND_ENDING.test(text))
  if (wild !== undefined) return { refused: wild.text }
  const first = words.findIndex(({ text }) => /^[-(!]/.test(text))
  const paths = first === -1 ? [...words] : words.slice(0, first)
  const bare = paths.filter(({ glob }) => glob === 0)
  const texts: PlainWord[] = []
  const tests = first === -1 ? [] : words.slice(first)
  for (let at = 0; at < tests.length; ) {
    const taken = takeTest(tests[at], tests[at + 1])
    if (taken === null) return { refused: tests[at]?.text ?? '' }
    paths.push(...taken.paths)
    texts.push(...taken.texts)
    at += taken.words
  }
  return { paths, bare, texts }
}

/** How many words a predicate of find is, and the files that it names; null when it may do more than test and print. */
function takeTest(test: PlainWord | undefined, value: PlainWord | undefined) {
  if (test === undefined || test.glob !== null) return null
  const name = test.text.replace(/^-/, '')
  if (FIND_FLAGS.has(name)) return { words: 1, paths: [], texts: [] }
  if (!test.text.startsWith('-') || value === undefined) return null
  if (FIND_FILES.has(name)) return value.glob === null ? { words: 2, paths: [value], texts: [] } : null
  if (!FIND_VALUES.has(name)) return null
  if (value.glob === null) return { words: 2, paths: [], texts: [] }
  // Of a pattern without quotes only the end of names is left to be a text.
  return FIND_NAMES.has(name) && FIND_ENDING.test(value.text) ? { words: 2, paths: [], texts: [value] } : null
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
  const found = readArguments({ short: 'af', valued: 'nt', operands: 'paths' }, words)
  return 'refused' in found ? found : found.read
}

/** Modules, the environment and names of files, but not a key `.env`. */
const JQ_REACHES =
  /(?<!(?<![.\d])\.)\benv\b|\b(?:ENV|import|include|input_filename|modulemeta|get_search_list)\b|\$__/

/** `--arg name value` and `--argjson name value` set a variable. */
function withoutJqArguments(words: readonly PlainWord[]): PlainWord[] {
  const isSet = (word: PlainWord | undefined) => /^--arg(?:json)?$/.test(word?.text ?? '')
  const end = words.findIndex(({ text }) => text === '--')
  const kept: PlainWord[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    const [name, value] = words.slice(at + 1, at + 3)
    const isPlain = name?.glob === null && value?.glob === null
    if (isSet(word) && isPlain && (end === -1 || at < end)) at += 2
    else if (word !== undefined) kept.push(word)
  }
  return kept
}

/** A filter of jq cannot write; it can read its environment and modules. */
function readJq(words: readonly PlainWord[]): Reading {
  const rule = {
    short: 'rcnsMCSeajR',
    long: 'raw-output compact-output null-input slurp sort-keys tab exit-status color-output monochrome-output join-output raw-input indent= stream ascii-output',
    operands: 'pattern',
  } as const
  const found = readArguments(rule, withoutJqArguments(words))
  if ('refused' in found) return found
  const [filter] = found.operands
  if (filter === undefined || filter.word.glob !== null || JQ_REACHES.test(filter.word.text))
    return { refused: filter?.word.text ?? '' }
  return found.read
}

/** Only forms whose operands bash takes as texts: others evaluate subscripts, and with them commands. */
function readTest(words: readonly PlainWord[]): Reading {
  const [first, second, ...more] = words
  if (first === undefined || words.some(({ glob }) => glob !== null)) return { refused: first?.text ?? '' }
  if (first.text === '!' && (words.length === 3 || words.length === 4)) return readTest(words.slice(1))
  if (second === undefined) return first.text.startsWith('-') ? { refused: first.text } : NOTHING
  if (more.length > 0) return readComparison(first, second, more)
  if (/^-[nz]$/.test(first.text)) return NOTHING
  return /^-[defhLrswxbcpS]$/.test(first.text) ? { paths: [second] } : { refused: first.text }
}

function readComparison(
  first: PlainWord,
  operator: PlainWord,
  [third, ...more]: readonly PlainWord[],
): Reading {
  if (third === undefined || more.length > 0) return { refused: first.text }
  if (/^-(?:nt|ot|ef)$/.test(operator.text)) return { paths: [first, third] }
  const areNumbers = [first, third].every(({ text }) => /^\d+$/.test(text))
  const isText = /^(?:=|==|!=)$/.test(operator.text)
  const isNumeric = /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator.text)
  return isText || (isNumeric && areNumbers) ? NOTHING : { refused: operator.text }
}

/** Without `-n` names of hosts are looked up. */
function readNetstat(words: readonly PlainWord[]): Reading {
  const [option, ...more] = words
  return option?.glob === null && more.length === 0 && /^-(?=[a-z]*n)[tulnpaer]+$/.test(option.text)
    ? NOTHING
    : { refused: option?.text ?? '' }
}

function readIp(words: readonly PlainWord[]): Reading {
  const all = words.map(({ text }) => text).join(' ')
  return /^(?:-br |-c )?(?:a|addr|address|link|r|route)(?: show)?$/.test(all) ? NOTHING : { refused: all }
}

/** Whatever it is given it prints. */
function readEcho(words: readonly PlainWord[]): Reading {
  return { paths: words.filter(({ glob }) => glob !== null) }
}

/** Formats that print; others set variables. */
const FORMAT = /^(?!-)(?:[^%]|%%|%[-+ 0#]*\d*(?:\.\d+)?[sdiouxXcbqfFeEgG])*$/s

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
  ['netstat', readNetstat],
  ['ip', readIp],
  ['echo', readEcho],
  ['true', readEcho],
  ['false', readEcho],
  ['printf', readPrintf],
  ['command', readCommand],
  ['sleep', readSleep],
  ['git', readGit],
])
