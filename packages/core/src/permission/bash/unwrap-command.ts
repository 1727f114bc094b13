import { scriptsOfGit } from './git-scripts.ts'
import { argumentsOfGit } from './git-words.ts'
import { programOf } from './line-parts.ts'
import { extendedBy } from './printed-words.ts'
import type { SeenCommand } from './seen-command.ts'
import { prefixedBy } from './started-programs.ts'

/** What may still be read of one line, scripts inside it included: characters, and more for a node or a command. */
export type Budget = { left: number }

/** Commands that run the command in their arguments. */
const WRAPPERS = new Set(
  'sudo doas pkexec su runuser env timeout nice ionice nohup stdbuf setsid time command builtin exec xargs watch chroot unshare nsenter strace ltrace flock busybox toybox taskset chrt script parallel systemd-run proot fakeroot unbuffer setarch linux64 firejail bwrap entr rtk caffeinate ssh'.split(
    ' ',
  ),
)
/** Commands of one `find` whose own arguments are looked into. */
const MAX_UNWRAPPED = 20
const EXECUTING_OPTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir'])
/** Arguments of a wrapper behind which a command may begin. */
const MAX_BEGINNINGS = 50

/**
 * The command, and every command that its arguments may be. A wrapper's options are not read: whatever follows one of its
 * arguments counts, so that none is missed. Each is made when it is asked for and takes from the budget, since wrappers inside
 * commands of `find` multiply. Where too little is left it ends.
 */
export function* unwrap(command: SeenCommand, budget: Budget): Generator<SeenCommand> {
  if (command.name === 'find') yield* unwrapFind(command, budget)
  else yield* unwrapArguments(command, budget)
}

function* unwrapFind(command: SeenCommand, budget: Budget): Generator<SeenCommand> {
  if (!spend(command, budget)) return
  yield command
  let found = 0
  for (const inner of beginningsIn(command.args, (_, before) => EXECUTING_OPTIONS.has(before))) {
    found += 1
    if (found <= MAX_UNWRAPPED) yield* unwrapArguments(inner, budget)
    else if (spend(inner, budget)) yield inner
    if (budget.left < 0) return
  }
}

function* unwrapArguments(command: SeenCommand, budget: Budget): Generator<SeenCommand> {
  if (!spend(command, budget)) return
  yield command
  const wrapped = wrappedBy(command)
  if (wrapped !== null) for (const inner of wrapped) yield* unwrap(inner, budget)
  else for (const inner of possibleIn(command)) if (spend(inner, budget)) yield inner
}

/** What a command runs for certain; null for one whose arguments don't show it. */
function wrappedBy(command: SeenCommand): SeenCommand[] | null {
  const prefixed = argumentsOfGit(command.name, command.args) === null ? prefixedBy(command) : null
  // Behind the program of `xargs` nothing is one.
  const added = command.name === 'xargs' ? extendedBy(command)?.command : undefined
  return prefixed ?? (added === undefined ? null : [added])
}

function possibleIn({ name, args }: SeenCommand): Iterable<SeenCommand> {
  const git = argumentsOfGit(name, args)
  if (git !== null) return scriptsOfGit(git).commands.flatMap(toCommand)
  return WRAPPERS.has(name) ? beginningsIn(args, (at) => at < MAX_BEGINNINGS) : []
}

/** The commands that begin at those arguments for which a test holds, given their place and the argument before. */
function* beginningsIn(
  args: readonly string[],
  test: (at: number, before: string) => boolean,
): Generator<SeenCommand> {
  for (const at of args.keys()) if (test(at, args[at - 1] ?? '')) yield* toCommand(args.slice(at))
}

/** Takes what a command costs; false where too little is left. */
function spend({ args }: SeenCommand, budget: Budget): boolean {
  budget.left -= 10 + args.length
  return budget.left >= 0
}

function toCommand([name, ...args]: readonly string[]): SeenCommand[] {
  return name === undefined || name.startsWith('-') ? [] : [{ name: programOf(name), args }]
}
