import { type Command, forEachChild, type Pipeline, parse, type Redirect, type SyntaxNode } from 'unbash'
import { scriptsOfGit } from './git-scripts.ts'
import { argumentsOfGit } from './git-words.ts'

export type SeenCommand = { name: string; args: readonly string[] }

/** All that a tree of a line shows, also of scripts inside it. */
export type SeenLine = {
  commands: SeenCommand[]
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
const PRINTERS = new Set(['echo', 'printf', 'cat'])

/** Reads a line as a tree. Bounded in time: a line that is too long or nested too deep is `broken`. */
export function seeLine(line: string): SeenLine {
  const seen: SeenLine = { commands: [], written: [], kinds: new Set(), broken: false, multiplies: false }
  seeScript(line, seen, { left: MAX_WORK }, 0)
  return seen
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
    if (found === null) return
    for (const { name, args } of unwrap(found)) {
      seen.commands.push({ name, args })
      for (const script of scriptsOf(name, args, command)) seeScript(script, seen, budget, scripts + 1)
    }
  }

  /** What is printed into a shell is a script. */
  function notePipeline({ commands }: Pipeline): void {
    const names = commands.map((command) => (command.type === 'Command' ? toSeen(command) : null))
    const shell = names.findIndex(
      (found) => found !== null && unwrap(found).some(({ name }) => SHELLS.has(name)),
    )
    for (const found of names.slice(0, Math.max(0, shell)))
      if (found !== null && PRINTERS.has(found.name))
        seeScript(found.args.join(' ').replaceAll('\\n', '\n'), seen, budget, scripts + 1)
  }

  function noteFunction(name: string, text: string): void {
    const calls = text.split(name).length - 2
    if (calls >= 2 && /[|&]/.test(text.slice(text.indexOf(name) + name.length))) seen.multiplies = true
  }
}

function toSeen({ name, args }: Command): SeenCommand | null {
  if (name === undefined) return null
  const values = args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
  return { name: baseName(name.value), args: values }
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
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
  if (!WRAPPERS.has(name)) return [command]
  return [command, ...args.slice(0, 50).flatMap((_, at) => toCommand(args.slice(at)))]
}

function toCommand([name, ...args]: readonly string[]): SeenCommand[] {
  return name === undefined || name.startsWith('-') ? [] : [{ name: baseName(name), args }]
}

function scriptsOf(name: string, args: readonly string[], { redirects }: Command): string[] {
  const git = argumentsOfGit(name, args)
  if (git !== null) return scriptsOfGit(git).scripts
  if (!SCRIPT_TAKERS.has(name)) return []
  const given = redirects.flatMap((redirect) => {
    if (redirect.type === 'HereDoc') return [redirect.body.text]
    return redirect.type === 'HereString' ? [redirect.target?.value ?? ''] : []
  })
  return [...args.filter((arg) => !arg.startsWith('-')), args.join(' '), ...given]
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
