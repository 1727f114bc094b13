import type { PlainWord } from './plain-line.ts'

/** Options and operands with which a program was run, each alone and in pairs, and did nothing but read. */
type Proved = {
  /** Letters of options, which may share a word. */
  flags?: string
  /** Letters of options with a value, in their word or the next, and what it looks like. */
  values?: Readonly<Record<string, RegExp>>
  /** Whole words that are options. */
  words?: readonly string[]
  /** Whether `-20` is a number. */
  digits?: true
  /** What an operand looks like; any text that is no option when there is none. */
  operand?: RegExp
  /** The first operand alone looks like this. */
  first?: RegExp
  most?: number
}

const NUMBER = /^\d{1,9}$/
const FILES: Proved = {}
const NO_OPERAND: Proved = { most: 0 }

/**
 * The short list: what runs unasked where no sandbox holds a command that does more. The programs take these options before their
 * operands on GNU, BSD and BusyBox alike, and none names a file that is not an operand.
 */
export const PROVED_COMMANDS: ReadonlyMap<string, Proved> = new Map<string, Proved>([
  ['ls', { flags: 'aAlh1dtrSRF' }],
  ['cat', { flags: 'nbs' }],
  ['head', { values: { n: NUMBER, c: NUMBER }, digits: true }],
  ['tail', { values: { n: /^\+?\d{1,9}$/, c: /^\+?\d{1,9}$/ }, digits: true }],
  ['wc', { flags: 'lwcm' }],
  ['grep', { flags: 'nirlcvwxohHEFqs', values: { A: NUMBER, B: NUMBER, C: NUMBER, m: NUMBER } }],
  [
    'rg',
    {
      flags: 'nilcwFvos',
      values: { A: NUMBER, B: NUMBER, C: NUMBER, m: NUMBER, t: /^[a-z]{1,20}$/ },
      words: ['--files'],
    },
  ],
  ['jq', { flags: 'rce', first: /^(?:\.|(?:\.[A-Za-z_]\w*|\.?\[\d*\])+)(?: \| (?:keys|length))?$/ }],
  ['cut', { values: { d: /^[^-]$/, f: /^[\d,-]+$/, c: /^[\d,-]+$/ } }],
  ['sort', { flags: 'nrufhV', values: { k: /^\d+(?:,\d+)?n?r?$/ } }],
  ['tr', { flags: 'ds', operand: /^[^-]/ }],
  ['diff', { flags: 'uqwbi', most: 2 }],
  ['cmp', { flags: 's', most: 2 }],
  ['stat', FILES],
  ['du', { flags: 'shack' }],
  ['df', { flags: 'hk', most: 0 }],
  ['md5sum', FILES],
  ['sha1sum', FILES],
  ['sha256sum', FILES],
  ['basename', FILES],
  ['dirname', FILES],
  ['realpath', FILES],
  ['readlink', { flags: 'f' }],
  ['date', { flags: 'u', operand: /^\+/, most: 1 }],
  ['which', { flags: 'a' }],
  ['uname', { flags: 'asrmn', most: 0 }],
  ['id', { flags: 'ugn', most: 0 }],
  ['sleep', FILES],
  ['seq', { operand: NUMBER, most: 3 }],
  ...['whoami', 'hostname', 'nproc', 'groups', 'arch', 'uptime', 'tty', 'logname'].map(
    (name) => [name, NO_OPERAND] as const,
  ),
  ...['node', 'python3', 'git', 'bash'].map((name) => [name, { words: ['--version'], most: 0 }] as const),
])

/** What bash does itself, and nothing else with the arguments that the table allows. */
const BUILTINS = new Set(['cd', 'pwd', 'echo', 'printf', 'test', '[', 'true', 'false', 'type', 'command'])

const PATHS: Proved = { words: ['--'] }

/** The same for subcommands of git, which takes options behind operands too. */
export const PROVED_GIT: ReadonlyMap<string, Proved> = new Map<string, Proved>([
  ['status', { flags: 'sb', words: ['--short', '--branch', '--porcelain'], most: 0 }],
  [
    'diff',
    { words: ['--', '--stat', '--cached', '--staged', '--name-only', '--name-status', '--shortstat'] },
  ],
  [
    'log',
    {
      flags: 'p',
      values: { n: NUMBER },
      digits: true,
      words: ['--', '--oneline', '--stat', '--graph', '--all', '--decorate', '--name-only', '--name-status'],
    },
  ],
  ['show', { words: ['--', '--stat', '--name-only', '--name-status', '--oneline'] }],
  ['branch', { flags: 'arv', words: ['--show-current', '--list', '--all'], most: 0 }],
  ['tag', { words: ['--list'], most: 0 }],
  ['remote', { flags: 'v', most: 0 }],
  ['ls-files', PATHS],
  ['blame', { values: { L: /^\d+,\+?\d+$/ }, words: ['--'] }],
  ['grep', { flags: 'nilwc', words: ['--'] }],
  [
    'rev-parse',
    { words: ['--show-toplevel', '--abbrev-ref', '--short', '--verify', '--is-inside-work-tree'] },
  ],
  ['rev-list', { words: ['--count', '--all'] }],
  ['describe', { words: ['--tags', '--always', '--all'] }],
  ['merge-base', FILES],
  ['stash list', NO_OPERAND],
  ['worktree list', NO_OPERAND],
])

/** Whether a command is on the short list with these arguments, each of which is a literal word. */
export function isProved(name: string, args: readonly PlainWord[]): boolean {
  if (args.some(({ glob, exits }) => glob !== null || exits === true)) return false
  const texts = args.map(({ text }) => text)
  if (BUILTINS.has(name)) return true
  if (name === 'git' && texts[0] !== '--version') return isProvedGit(texts)
  const proved = PROVED_COMMANDS.get(name)
  return proved !== undefined && fits(proved, texts, false)
}

function isProvedGit([verb = '', ...args]: readonly string[]): boolean {
  const nested = `${verb} ${args[0] ?? ''}`
  const proved = PROVED_GIT.get(nested)
  if (proved !== undefined) return fits(proved, args.slice(1), true)
  const own = PROVED_GIT.get(verb)
  return own !== undefined && fits(own, args, true)
}

function fits(proved: Proved, args: readonly string[], permutes: boolean): boolean {
  const operands: string[] = []
  let isEnded = false
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    const isOption = !isEnded && word.startsWith('-')
    const isTaken = isOption && (operands.length === 0 || permutes)
    const width = isTaken ? widthOf(proved, word, args[at + 1]) : 1
    if (width === null || (isOption && !isTaken)) return false
    isEnded ||= word === '--'
    at += width - 1
    if (!isOption) operands.push(word)
  }
  return areOperands(proved, operands)
}

/** Behind the end of options too none begins with a dash. */
function areOperands({ first, operand, most }: Proved, operands: readonly string[]): boolean {
  if (operands.length > (most ?? operands.length)) return false
  return operands.every((word, at) => {
    const shape = at === 0 ? (first ?? operand) : operand
    return /^[^-]/.test(word) && shape?.test(word) !== false
  })
}

/** How many words an option is with its value; null when it is not on the list. */
function widthOf(
  { flags = '', values = {}, words = [], digits }: Proved,
  word: string,
  next = '',
): 1 | 2 | null {
  if (words.includes(word) || (digits === true && /^-\d{1,9}$/.test(word))) return 1
  const value = values[word.charAt(1)]
  if (value !== undefined && word.length > 2) return value.test(word.slice(2)) ? 1 : null
  if (value !== undefined) return value.test(next) ? 2 : null
  return word.length > 1 && [...word.slice(1)].every((letter) => flags.includes(letter)) ? 1 : null
}
