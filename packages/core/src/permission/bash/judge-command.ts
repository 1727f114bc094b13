import type { PermissionAction } from '../../domain/permission/permission.ts'
import { whatIsDestroyed } from './destroys.ts'
import { isUnclearGit, setsGit } from './git-scripts.ts'
import { argumentsOfGit, fromVerb } from './git-words.ts'
import { emptyLine, type SeenLine, seeLine } from './parse-line.ts'
import { type PlainCommand, readPlainLine } from './plain-line.ts'
import { proposePatterns, textOf, textOfWords } from './propose-patterns.ts'
import { type BashFacts, emptyReach, type Reach, readLine } from './reads-only.ts'
import type { SeenCommand } from './seen-command.ts'
import { whyAsked, whySyntaxAsks } from './why-asked.ts'

export type Judgement = {
  verdict: PermissionAction
  /** A sentence for the person who is asked, or for the model that is refused. */
  reason: string
  /** What a lasting permission could name, the narrowest first; empty when the line is more than one plain command. */
  patterns: string[]
  /** Each plain command of the line in one spelling, for rules to match; empty when the line has other syntax. */
  plain: string[]
  /** Each other command that a tree of the line shows, in the same spelling: in other syntax, in scripts and after wrappers. */
  inner: string[]
  /** Those of all of them that call git and may run any of its subcommands, as by an alias. */
  unclear: string[]
  /** Those that it may run, and that its words do not show for certain. */
  possible: string[]
  /** The beginnings of those to which it adds words that it does not show. */
  extended: string[]
  /** Whether one of those that it may run destroys. */
  mayDestroy: boolean
  /** Names of the commands in the line; `*` is added for those that it runs without naming them. */
  commands: string[]
  /** What those of its plain commands reach that only read. */
  reach: Reach
}

/** Characters of a line that is read; a longer one is asked about. */
const MAX_CHARACTERS = 20_000

/**
 * Decides about a command line: allows one that only reads, denies one that destroys, and asks about all others. What it
 * allows runs the commands that it names and no others. Pure and bounded in time.
 */
export function judgeCommand(line: string, facts: BashFacts): Judgement {
  if (line.length > MAX_CHARACTERS)
    return asks('The command is too long to be checked.', {
      commands: ['*'],
      ...{ plain: [], inner: [], unclear: [], patterns: [], possible: [], extended: [], mayDestroy: false },
    })
  const seen = see(line)
  const plain = readPlainLine(line)
  const found = {
    commands: namesIn(seen, plain),
    plain: plain?.map(textOf) ?? [],
    inner: innerOf(seen, plain),
    unclear: unclearIn(line, seen),
    possible: textsOf(seen.possible),
    extended: textsOf(seen.extended),
    mayDestroy: whatIsDestroyed({ ...seen, commands: seen.possible, together: [] }, facts.root) !== null,
    patterns: plain === null ? [] : proposePatterns(plain),
  }
  const destroyed = whatIsDestroyed(seen, facts.root)
  if (destroyed !== null)
    return { verdict: 'deny', reason: destroyed, ...found, patterns: [], reach: emptyReach() }
  // Two readers have to see the same commands.
  if (plain === null || !agree(seen, plain))
    return asks(whySyntaxAsks(line, seen), { ...found, inner: innerOf(seen, null), plain: [], patterns: [] })
  const { reach, refusal } = readLine(plain, facts)
  // A permission for the command is none for what it reads.
  if (refusal !== null && plain.some(({ inputs }) => inputs.length > 0))
    return asks(whySyntaxAsks(line, seen), { ...found, inner: innerOf(seen, null), plain: [], patterns: [] })
  if (refusal !== null) return { verdict: 'ask', reason: whyAsked(refusal), ...found, reach }
  return {
    verdict: 'allow',
    reason: 'It only reads.',
    ...found,
    commands: [...new Set(plain.map(nameOf))],
    reach,
  }
}

function see(line: string): SeenLine {
  try {
    return seeLine(line)
  } catch {
    // A tree deeper than the stack.
    return { ...emptyLine(), broken: true }
  }
}

/** Commands of one line that are compared with rules one by one. */
const MAX_INNER = 1_000

function innerOf({ commands }: SeenLine, plain: readonly PlainCommand[] | null): string[] {
  const known = new Set(plain?.map(({ words }) => textOfWords(words.map(({ text }) => text))))
  const texts = commands.flatMap(({ name, args }) => {
    const git = argumentsOfGit(name, args)
    return [textOfWords([name, ...args]), ...(git === null ? [] : [textOfWords(['git', ...fromVerb(git)])])]
  })
  return [...new Set(texts)].filter((text) => !known.has(text)).slice(0, MAX_INNER)
}

function textsOf(commands: readonly SeenCommand[]): string[] {
  const texts = commands.slice(0, MAX_INNER).map(({ name, args }) => textOfWords([name, ...args]))
  return [...new Set(texts)]
}

function unclearIn(line: string, { commands }: SeenLine): string[] {
  const isSet = setsGit(
    line,
    commands.some(({ name }) => RUNNERS.has(name)),
  )
  const unclear = commands.flatMap(({ name, args }) => {
    const git = argumentsOfGit(name, args)
    return git !== null && (isSet || isUnclearGit(git)) ? [textOfWords([name, ...args])] : []
  })
  return [...new Set(unclear)].slice(0, MAX_INNER)
}

function asks(reason: string, found: Omit<Judgement, 'verdict' | 'reason' | 'reach'>): Judgement {
  return { verdict: 'ask', reason, ...found, reach: emptyReach() }
}

/** Words and builtins that run what follows them. */
const RUNNERS = new Set(
  'if then else elif fi while until do done for case esac select in function time coproc ! command builtin eval exec trap source . mapfile readarray read let declare typeset local export readonly unset alias complete compgen hash enable bind wait getopts'.split(
    ' ',
  ),
)

function namesIn(seen: SeenLine, plain: readonly PlainCommand[] | null): string[] {
  const named = plain?.map(nameOf) ?? []
  const isExact = plain !== null && named.every((name) => !RUNNERS.has(name) && !/[=*?[]/.test(name))
  return [...new Set(isExact ? named : [...named, ...seen.commands.map(({ name }) => name), '*'])]
}

function nameOf({ words }: PlainCommand): string {
  return words[0]?.text ?? ''
}

/** Whether both readers found the same names in the same order; the tree holds those inside wrappers too. */
function agree({ commands, broken }: SeenLine, plain: readonly PlainCommand[]): boolean {
  if (broken) return false
  let at = 0
  for (const command of plain) {
    const name = nameOf(command)
    while (at < commands.length && commands[at]?.name !== name.slice(name.lastIndexOf('/') + 1)) at += 1
    if (at >= commands.length) return false
    at += 1
  }
  return true
}
