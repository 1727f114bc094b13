import type { Requirement } from '../../domain/permission.ts'
import { type Judgement, judgeCommand } from '../../permission/bash/judge-command.ts'
import type { Shell } from './shell.ts'

/** Paths of one line for which reading is required on their own; a line with more is asked about as a whole. */
const MAX_READS = 100

/**
 * What a command line requires: each of its commands. Those that only read are marked, and with them the files that they
 * name have to be readable. A line with other syntax is required as a whole, and never by a lasting rule.
 */
export async function requireCommand(
  line: string,
  root: string | null,
  shell: Shell | null,
): Promise<Requirement[]> {
  const unsafe = shell?.sandbox.kind === 'none' ? WITHOUT_SANDBOX : ''
  const requirements = await requirementsOf(line, root, shell)
  return requirements.map((one) =>
    one.reason === undefined ? one : { ...one, reason: `${one.reason}${unsafe}` },
  )
}

const WITHOUT_SANDBOX = ' It runs without a sandbox, with all rights of the server.'

async function requirementsOf(
  line: string,
  root: string | null,
  shell: Shell | null,
): Promise<Requirement[]> {
  const judged = judgeCommand(line, { root })
  if (judged.verdict === 'allow' && root !== null && shell !== null) {
    const { outside, gitStartsPrograms } = await shell.inspect(root, judged.reads)
    if (outside !== null) return [asWhole(line, `A link leads from ${outside} to outside of the workspace.`)]
    if (!gitStartsPrograms) return readingsOf(judged, line)
    const again = judgeCommand(line, { root, gitStartsPrograms })
    return again.verdict === 'allow' ? readingsOf(again, line) : commandsOf(again, line, root)
  }
  return commandsOf(judged, line, root)
}

/** The patterns of a command beyond the exact one. */
export function widerCommands(pattern: string): string[] {
  return judgeCommand(pattern, { root: null }).patterns.filter((wider) => wider !== pattern)
}

function asWhole(line: string, reason: string): Requirement {
  return { permission: 'command', pattern: line, reason, once: true }
}

function readingsOf({ plain, reads }: Judgement, line: string): Requirement[] {
  const files = [...new Set(reads.filter((path) => path !== '').map(normal))]
  if (files.length > MAX_READS) return [asWhole(line, `It reads more than ${MAX_READS} files.`)]
  return [
    ...plain.map((pattern): Requirement => ({ permission: 'command', pattern, readOnly: true })),
    ...files.map((pattern): Requirement => ({ permission: 'read', pattern })),
  ]
}

function normal(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.length === 0 ? '.' : `${path.startsWith('/') ? '/' : ''}${steps.join('/')}`
}

function commandsOf({ plain, reason, verdict }: Judgement, line: string, root: string | null): Requirement[] {
  if (verdict === 'deny' || plain.length === 0) return [asWhole(line, reason)]
  const several = plain.length > 1
  return plain.map((pattern) => {
    const alone = judgeCommand(pattern, { root })
    if (alone.verdict === 'allow') return { permission: 'command', pattern, readOnly: true }
    return { permission: 'command', pattern, reason: alone.reason, ...(several && { once: true }) }
  })
}
