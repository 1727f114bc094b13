import { type Command, forEachChild, type Pipeline, parse, type Redirect, type SyntaxNode } from 'unbash'
import { scriptsOfGit } from './git-scripts.ts'
import { argumentsOfGit } from './git-words.ts'
import { commandsIn, printedIn, programOf, toSeen } from './line-parts.ts'
import { extendedBy } from './printed-words.ts'
import type { SeenCommand } from './seen-command.ts'
import { NOTHING_STARTED, prefixedBy, startedBy } from './started-programs.ts'

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

type Budget = { left: number }

function seeScript(source: string, seen: SeenLine, budget: Budget, scripts: number): void {
  budget.left -= source.length
  if (budget.left < 0 || nesting(source) > MAX_NESTING || scripts > MAX_SCRIPTS) {
    seen.broken = true
    return
  }
  visit(parse(source), 0)

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
    if (!readsScripts(found)) return
    const given = [...command.args, ...command.redirects].flatMap(printedIn)
    for (const script of given) noteScript(script)
  }

  /** `xargs` takes its words from an input of its own too. */
  function noteInput(found: SeenCommand, { args, redirects }: Command): void {
    const inputs = [...args.filter((arg) => printedIn(arg).length > 0), ...redirects]
    for (const wrapped of unwrap(found))
      if (wrapped.name === 'xargs' && inputs.length > 0) noteExtended(wrapped, inputs)
  }

  /** A command, and all that it starts. */
  function noteSeen(command: SeenCommand, depth: number): void {
    for (const one of within(unwrap(command))) {
      seen.commands.push(one)
      const started = depth > MAX_STARTED ? NOTHING_STARTED : startedBy(one)
      for (const script of [...scriptsOf(one), ...started.scripts]) noteScript(script)
      for (const inner of started.certain) noteSeen(inner, depth + 1)
      seen.possible.push(...within(started.possible.flatMap(unwrap)))
    }
  }

  /** Those of the commands for which there is budget. */
  function within(commands: readonly SeenCommand[]): SeenCommand[] {
    return commands.filter(({ args }) => {
      budget.left -= 10 + args.length
      seen.broken ||= budget.left < 0
      return budget.left >= 0
    })
  }

  function noteScript(script: string): void {
    seeScript(script, seen, budget, scripts + 1)
  }

  /** What is printed into a shell is a script, and into `xargs` it is words of a command. */
  function notePipeline({ commands }: Pipeline): void {
    const shell = commands.findIndex((one) => commandsIn(one).some(readsScripts))
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
function readsScripts(command: SeenCommand): boolean {
  return unwrap(command).some(({ name }) => SCRIPT_READERS.has(name))
}

/** Commands that run the command in their arguments. */
const WRAPPERS = new Set(
  'sudo doas pkexec su runuser env timeout nice ionice nohup stdbuf setsid time command builtin exec xargs watch chroot unshare nsenter strace ltrace flock busybox toybox taskset chrt script parallel systemd-run proot fakeroot unbuffer setarch linux64 firejail bwrap entr rtk caffeinate ssh'.split(
    ' ',
  ),
)
/** Commands of one `find` whose own arguments are looked into. */
const MAX_UNWRAPPED = 20
const EXECUTING_OPTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/**
 * The command, and every command that its arguments may be. A wrapper's options are not read: whatever follows one of its
 * arguments counts, so that none is missed.
 */
function unwrap(command: SeenCommand): SeenCommand[] {
  const { name, args } = command
  if (name === 'find') {
    const inner = args
      .flatMap((arg, at) => (EXECUTING_OPTIONS.has(arg) ? [args.slice(at + 1)] : []))
      .flatMap(toCommand)
    return [command, ...inner.flatMap((one, at) => (at < MAX_UNWRAPPED ? unwrapArguments(one) : [one]))]
  }
  return unwrapArguments(command)
}

function unwrapArguments(command: SeenCommand): SeenCommand[] {
  const { name, args } = command
  const git = argumentsOfGit(name, args)
  if (git !== null) return [command, ...scriptsOfGit(git).commands.flatMap(toCommand)]
  const prefixed = prefixedBy(command)
  if (prefixed !== null) return [command, ...prefixed.flatMap(unwrap)]
  if (!WRAPPERS.has(name)) return [command]
  // Behind the program of `xargs` nothing is one.
  if (name === 'xargs')
    return [command, ...[extendedBy(command)].flatMap((one) => (one === null ? [] : unwrap(one.command)))]
  return [command, ...args.slice(0, 50).flatMap((_, at) => toCommand(args.slice(at)))]
}

function toCommand([name, ...args]: readonly string[]): SeenCommand[] {
  return name === undefined || name.startsWith('-') ? [] : [{ name: programOf(name), args }]
}

function scriptsOf({ name, args }: SeenCommand): string[] {
  const git = argumentsOfGit(name, args)
  if (git !== null) return scriptsOfGit(git).scripts
  if (name === 'env') return splitByEnv(args)
  if (!SCRIPT_TAKERS.has(name)) return []
  return [...args.filter((arg) => !arg.startsWith('-')), args.join(' ')]
}

/** The line that `env -S` takes apart, with the words behind it. */
function splitByEnv(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [, attached] = /^(?:-[A-Za-z0]*?S|--split-string(?:=|$))(.*)$/s.exec(arg) ?? []
    if (attached === undefined) return []
    const rest = args.slice(at + 1)
    const line = attached === '' ? rest : [attached, ...rest]
    // It may begin with options of its own.
    return [`env ${line.join(' ').replaceAll(String.raw`\_`, ' ')}`]
  })
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
