import type { Requirement } from '../../domain/permission/permission.ts'
import { type Judgement, judgeCommand } from '../../permission/bash/judge-command.ts'
import { namesProtected } from '../../permission/bash/names-protected.ts'
import { type BashFacts, emptyReach } from '../../permission/bash/reads-only.ts'
import { takenByWide } from '../../permission/bash/wide-rules.ts'
import type { WorkspaceFacts } from '../../ports/index.ts'
import type { Shell } from '../shell.ts'

/** Paths of one line for which reading is required on their own; a line with more is asked about as a whole. */
const MAX_READS = 100

/**
 * What a command line requires: each of its commands. Those that only read are marked, and with them the files that they
 * name have to be readable. A line with other syntax is required as a whole, and never by a lasting rule. The commands inside it are
 * required as readings, so that a rule that denies one counts.
 */
export async function requireCommand(
  line: string,
  root: string | null,
  shell: Pick<Shell, 'sandbox' | 'inspect'> | null,
): Promise<Requirement[]> {
  const unboxed = shell?.sandbox.kind === 'none'
  const enforced = shell?.sandbox.kind === 'bwrap'
  const judged = judgeCommand(line, { root, enforced })
  const requirements = await requirementsOf(judged, line, root, shell, enforced)
  return [
    ...(unboxed ? requirements.map(asUnboxed) : requirements),
    ...judged.inner.map(asInner),
    ...judged.unclear.map(asUnclear),
    ...judged.possible.map(asPossible),
    ...judged.extended.map((pattern) => ({ ...asPossible(pattern), anyOf: pattern })),
  ]
}

/** What a line requires that was judged to read, and wrote where it could not. */
export async function requireWriting(
  line: string,
  root: string | null,
  shell: Shell | null,
): Promise<Requirement[]> {
  const all = await requireCommand(line, root, shell)
  const isOne = all.filter(({ permission }) => permission === 'command').length === 1
  return all.map(({ permission, pattern, once }): Requirement => {
    if (permission !== 'command') return { permission, pattern }
    return { permission, pattern, reason: WRITES, ...((once === true || !isOne) && { once: true }) }
  })
}

const WRITES = 'This command writes: it ran where nothing can be written, and failed.'

function asUnboxed(one: Requirement): Requirement {
  return one.reason === undefined ? one : { ...one, reason: `${one.reason}${WITHOUT_SANDBOX}`, unboxed: true }
}

/** The line as a whole is decided about; a rule may still deny or ask about a command inside it. */
function asInner(pattern: string): Requirement {
  return { permission: 'command', pattern, readOnly: true }
}

function asUnclear(pattern: string): Requirement {
  return { ...asInner(pattern), anyOf: 'git' }
}

function asPossible(pattern: string): Requirement {
  return { ...asInner(pattern), maybe: true }
}

const WITHOUT_SANDBOX = ' It runs without a sandbox, with all rights of the server.'

/**
 * Whether the command would read what the server keeps: a rule that was given before that was so allows nothing then.
 */
function readsOwn({ isOwn, tracked, linked }: WorkspaceFacts): boolean {
  return isOwn || tracked !== null || linked !== null
}

/** Why what was found on the disk has the whole line asked about; null when nothing does. */
function reasonIn({ outside, tracked, linked, misread }: WorkspaceFacts): string | null {
  if (outside !== null) return `${outside} leads outside of the workspace, or to what this server keeps.`
  if (tracked !== null)
    return `The repository tracks ${tracked}, which this server keeps, and git prints what it has of it.`
  if (linked !== null)
    return `${linked}, which this server keeps, has a second name, a hard link, that may be read here.`
  if (misread !== null) return `A file has a name that makes an option of ${misread}.`
  return null
}

async function requirementsOf(
  { verdict, plain, reason, reach }: Judgement,
  line: string,
  root: string | null,
  shell: Pick<Shell, 'inspect'> | null,
  enforced: boolean,
): Promise<Requirement[]> {
  if (verdict === 'deny' || plain.length === 0) return [asWhole(line, reason)]
  if (root === null || shell === null) return plain.map((pattern) => commandOf(pattern, { root }, plain))
  const found = await shell.inspect(root, reach)
  const { matched, gitStartsPrograms } = found
  // A rule that denies one of its commands still counts.
  const whole = (why: string): Requirement[] => [
    { ...asWhole(line, why), exact: true, ...(readsOwn(found) && { always: true as const }) },
    ...(plain.length > 1 ? plain.map(asInner) : []),
  ]
  const asked = reasonIn(found)
  if (asked !== null) return whole(asked)
  const files = filesOf(reach.reads, matched)
  if (files === null) return whole(`It reads more than ${MAX_READS} files.`)
  // Beside a command that does more, one that reads is not held to it, and git runs hooks.
  const isReading = verdict === 'allow'
  const facts = {
    root,
    gitStartsPrograms: gitStartsPrograms || !isReading,
    enforced: enforced && isReading,
  }
  const commands = await Promise.all(
    plain.map((pattern) => taking(commandOf(pattern, facts, plain), root, enforced ? null : shell)),
  )
  // Each of them may only read where all of them together do more.
  if (verdict === 'ask' && commands.every(({ readOnly }) => readOnly === true)) return whole(reason)
  // A rule was given for the command in the workspace's root: in another folder it acts on other files and settings.
  const acting = commands.find(({ readOnly }) => readOnly !== true)
  if (acting !== undefined && plain.some((command) => movesFrom(root, command)))
    return whole(`${acting.reason ?? reason} It runs in another folder.`)
  return [...commands, ...files.map((pattern): Requirement => ({ permission: 'read', pattern }))]
}

/** The patterns of a command beyond the exact one. */
export function widerCommands(pattern: string): string[] {
  return judgeCommand(pattern, { root: null }).patterns.filter((wider) => wider !== pattern)
}

/** Whether a command makes those after it run elsewhere than in the root. */
function movesFrom(root: string, command: string): boolean {
  const [name, ...args] = command.split(' ')
  return name === 'cd' && (args.length !== 1 || !['.', './', root].includes(args[0] ?? ''))
}

function asWhole(line: string, reason: string): Requirement {
  return { permission: 'command', pattern: line, reason, once: true }
}

/**
 * A command that a wide rule may allow, and whose arguments name what the server keeps, or a folder that holds it: it takes a rule
 * for the exact line. In a sandbox nothing of it is there.
 */
async function taking(
  command: Requirement,
  root: string,
  shell: Pick<Shell, 'inspect'> | null,
): Promise<Requirement> {
  const walks = command.readOnly === true || shell === null ? [] : takenByWide(command.pattern)
  if (shell === null || walks.length === 0) return command
  const { outside } = await shell.inspect(root, { ...emptyReach(), walks })
  return outside === null ? command : { ...command, reason: `${outside} ${TAKEN}`, exact: true }
}

const TAKEN = 'is, or holds, what this server keeps.'

/** The files that a line names and those that its globs match, these where they are not too many; null when it names too many. */
function filesOf(reads: readonly string[], matched: readonly string[]): string[] | null {
  const all = spelledOnce([...reads, ...matched])
  if (all.length <= MAX_READS) return all
  const named = spelledOnce(reads)
  return named.length <= MAX_READS ? named : null
}

function spelledOnce(paths: readonly string[]): string[] {
  return [...new Set(paths.filter((path) => path !== '').map(normal))]
}

function normal(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.length === 0 ? '.' : `${path.startsWith('/') ? '/' : ''}${steps.join('/')}`
}

function commandOf(pattern: string, facts: BashFacts, all: readonly string[]): Requirement {
  const alone = judgeCommand(pattern, facts)
  if (alone.verdict === 'allow') return { permission: 'command', pattern, readOnly: true }
  const part = namesProtected(pattern)
  if (part !== null) {
    const reason = `${alone.reason} Other programs act on \`${part}\` by themselves, so a person is asked each time.`
    return { permission: 'command', pattern, reason, always: true }
  }
  return { permission: 'command', pattern, reason: alone.reason, ...(all.length > 1 && { once: true }) }
}
