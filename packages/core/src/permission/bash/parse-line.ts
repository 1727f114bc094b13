import { type Command, forEachChild, type Pipeline, parse, type Redirect, type SyntaxNode } from 'unbash'
import { scriptsOfGit } from './git-scripts.ts'
import { argumentsOfGit } from './git-words.ts'
import { commandsIn, printedIn, toSeen } from './line-parts.ts'
import { extendedBy } from './printed-words.ts'
import type { SeenCommand } from './seen-command.ts'
import { NOTHING_STARTED, startedBy } from './started-programs.ts'
import { type Budget, unwrap } from './unwrap-command.ts'

/** All that a tree of a line shows, also of scripts inside it. */
export type SeenLine = {
  commands: SeenCommand[]
  /** Those that it may run beside these: its words do not show which of them it is. */
  possible: SeenCommand[]
  /** Commands to which words are added that it does not show. */
  extended: SeenCommand[]
  /** What it would do as one command, such as a `find` whose output another removes; it is not run as such. */
  together: SeenCommand[]
  /** Files that redirects replace or append to. */
  written: { path: string; replaces: boolean }[]
  /** Kinds of syntax that are more than commands, words and quotes. */
  kinds: Set<string>
  /** It cannot be read as bash, or is nested too deep. */
  broken: boolean
  /** A function that starts itself more than once. */
  multiplies: boolean
}

/** Characters that are parsed for one line, scripts inside it included, each node counted as ten. */
const MAX_WORK = 200_000
/** How deep brackets may be nested, and scripts inside scripts. */
const MAX_NESTING = 60
const MAX_SCRIPTS = 5

const PLAIN_KINDS = new Set([
  'Script',
  'Statement',
  'Command',
  'Word',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'Glob',
  'AndOr',
  'Pipeline',
])
const SHELLS = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'rbash', 'mksh'])
/** Commands that take a script, or a command line in one argument. */
const SCRIPT_TAKERS = new Set([
  ...SHELLS,
  'eval',
  'su',
  'ssh',
  'watch',
  'script',
  'flock',
  'parallel',
  'trap',
  'busybox',
  'entr',
  'at',
  'batch',
])
/** Commands that read a script from their input, or from a file that may be one. */
const SCRIPT_READERS = new Set([...SHELLS, ...'source . eval at batch parallel su ssh busybox'.split(' ')])
/** What removes the files that it is given. */
const REMOVERS = new Set(['rm', 'shred', 'unlink', 'rmdir'])
/** What prints no more than it shows. */
const PASSING = new Set(['echo', 'printf', 'yes', 'cat', 'tee'])
/** How deep programs that start programs are looked into. */
const MAX_STARTED = 6

/** Reads a line as a tree. Bounded in time: a line that is too long or nested too deep is `broken`. */
export function seeLine(line: string): SeenLine {
  const seen: SeenLine = emptyLine()
  seeScript(line, seen, { left: MAX_WORK }, 0)
  return seen
}

export function emptyLine(): SeenLine {
  const lists = { commands: [], possible: [], extended: [], together: [], written: [] }
  return { ...lists, kinds: new Set(), broken: false, multiplies: false }
}

function seeScript(source: string, seen: SeenLine, budget: Budget, scripts: number): void {
  budget.left -= source.length
  if (budget.left < 0 || nesting(source) > MAX_NESTING || scripts > MAX_SCRIPTS) {
    seen.broken = true
    return
  }
  visit(parse(source), 0)
  seen.broken ||= budget.left < 0

  function visit(node: SyntaxNode, depth: number): void {
    budget.left -= 10
    if (budget.left < 0 || depth > 4 * MAX_NESTING) {
      seen.broken = true
      return
    }
    note(node)
    forEachChild(node, (child) => visit(child, depth + 1))
  }

  function note(node: SyntaxNode): void {
    if (!PLAIN_KINDS.has(node.type)) seen.kinds.add(node.type)
    switch (node.type) {
      case 'Script':
        if (node.errors !== undefined && node.errors.length > 0) seen.broken = true
        break
      case 'Statement':
        if (node.background === true) seen.kinds.add('Background')
        break
      case 'Command':
        noteCommand(node)
        break
      case 'Pipeline':
        notePipeline(node)
        break
      case 'Function':
        noteFunction(node.name.value, source.slice(node.pos, node.end))
        break
      case 'Redirect':
        noteRedirect(node)
        break
    }
  }

  function noteRedirect({ operator, target }: Redirect): void {
    if (target !== undefined && operator.includes('>'))
      seen.written.push({ path: target.value, replaces: !operator.includes('>>') })
  }

  function noteCommand(command: Command): void {
    const found = toSeen(command)
    // A name that is made by a printer: its text is one, with the words behind it.
    if (command.name !== undefined)
      for (const text of printedIn(command.name)) noteScript([text, ...(found?.args ?? [])].join(' '))
    if (found === null) return
    noteSeen(found, 0)
    noteInput(found, command)
    if (!readsScripts(found, budget)) return
    const given = [...command.args, ...command.redirects].flatMap(printedIn)
    for (const script of given) noteScript(script)
  }

  /** `xargs` takes its words from an input of its own too. */
  function noteInput(found: SeenCommand, { args, redirects }: Command): void {
    const inputs = [...args.filter((arg) => printedIn(arg).length > 0), ...redirects]
    if (inputs.length === 0) return
    for (const wrapped of unwrap(found, budget)) if (wrapped.name === 'xargs') noteExtended(wrapped, inputs)
  }

  /** A command, and all that it starts. */
  function noteSeen(command: SeenCommand, depth: number): void {
    for (const one of unwrap(command, budget)) {
      seen.commands.push(one)
      const started = depth > MAX_STARTED ? NOTHING_STARTED : startedBy(one)
      for (const script of [...scriptsOf(one), ...started.scripts]) noteScript(script)
      for (const inner of started.certain) noteSeen(inner, depth + 1)
      for (const inner of started.possible) seen.possible.push(...unwrap(inner, budget))
    }
  }

  function noteScript(script: string): void {
    seeScript(script, seen, budget, scripts + 1)
  }

  /** What is printed into a shell is a script, and into `xargs` it is words of a command. */
  function notePipeline({ commands }: Pipeline): void {
    const shell = commands.findIndex((one) => commandsIn(one).some((found) => readsScripts(found, budget)))
    for (const one of commands.slice(0, Math.max(0, shell)))
      for (const text of printedIn(one)) noteScript(text)
    for (const [at, command] of commands.entries()) {
      if (at > 0) for (const found of commandsIn(command)) noteExtended(found, commands.slice(0, at))
    }
  }

  /** The commands of `xargs`, with what the parts of a pipeline before it print. */
  function noteExtended(command: SeenCommand, before: readonly SyntaxNode[]): void {
    const found = extendedBy(command)
    budget.left -= 10 * before.length + command.args.length
    if (found === null || budget.left < 0) return
    const printed = before.flatMap(printedIn)
    for (const one of found.with(printed)) noteSeen(one, 0)
    const made = before.flatMap(commandsIn)
    if (printed.length === 0 || made.some(({ name }) => !PASSING.has(name))) seen.extended.push(found.command)
    const lists = made.filter(({ name }) => name === 'find')
    if (REMOVERS.has(found.command.name))
      seen.together.push(...lists.map(({ name, args }) => ({ name, args: [...args, '-delete'] })))
  }

  function noteFunction(name: string, text: string): void {
    const calls = text.split(name).length - 2
    if (calls >= 2 && /[|&]/.test(text.slice(text.indexOf(name) + name.length))) seen.multiplies = true
  }
}

/** Whether a command, or one that it starts as a wrapper, takes what is printed for a script. */
function readsScripts(command: SeenCommand, budget: Budget): boolean {
  for (const { name } of unwrap(command, budget)) if (SCRIPT_READERS.has(name)) return true
  return false
}

function scriptsOf({ name, args }: SeenCommand): string[] {
  const git = argumentsOfGit(name, args)
  if (git !== null) return scriptsOfGit(git).scripts
  if (name === 'env') return splitByEnv(args)
  if (!SCRIPT_TAKERS.has(name)) return []
  return [...args.filter((arg) => !arg.startsWith('-')), args.join(' ')]
}

/** Words that may be the option of `env` which takes a line apart; it acts on the first of them. */
const MAX_SPLITS = 20

/** The line that `env -S` takes apart, with the words behind it. */
function splitByEnv(args: readonly string[]): string[] {
  const lines: string[] = []
  for (const [at, arg] of args.entries()) {
    const [, attached] = /^(?:-[A-Za-z0]*?S|--split-string(?:=|$))(.*)$/s.exec(arg) ?? []
    if (attached === undefined) continue
    const rest = args.slice(at + 1)
    const line = attached === '' ? rest : [attached, ...rest]
    // It may begin with options of its own.
    lines.push(`env ${line.join(' ').replaceAll(String.raw`\_`, ' ')}`)
    if (lines.length === MAX_SPLITS) break
  }
  return lines
}

/** How deep brackets are nested at most, in one pass. */
function nesting(source: string): number {
  let depth = 0
  let deepest = 0
  for (const character of source) {
    if ('({['.includes(character)) depth += 1
    else if (')}]'.includes(character)) depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
