import type { PermissionMode, PermissionRule, Requirement } from '../domain/permission/permission.ts'
import { type CallVerdict, changes, decideCall } from './decide-call.ts'
import { isStricter } from './evaluate.ts'
import { proposePatterns } from './propose-patterns.ts'
import type { WatchVerdict } from './watchdog.ts'

/** What one agent may do: that of the run itself, or one that has started it. */
export type PolicyLevel = {
  rules: readonly PermissionRule[]
  /** It changes and runs nothing, whatever the rules allow. */
  readOnly: boolean
}

/** What a run may do. Each level counts for itself, and the strictest verdict of all decides. */
export type Policy = {
  /** That of the run's agent, then those of the agents above it. */
  levels: readonly PolicyLevel[]
  mode: PermissionMode
}

const READS_ONLY = 'The agent of this run only reads: it changes no files and runs nothing that could.'

const NO_LEVEL: CallVerdict = { action: 'deny', reason: 'Nothing is known of what this run may do.' }

/** Decides about a call by every level of the policy. */
export function decideByPolicy(
  { levels, mode }: Policy,
  requirements: readonly Requirement[],
  watched: WatchVerdict | null,
): CallVerdict {
  const verdicts = levels.map(({ rules, readOnly }) =>
    readOnly && requirements.some(changes)
      ? ({ action: 'deny', reason: READS_ONLY } as const)
      : decideCall({ requirements, rules, mode, watched }),
  )
  return (
    verdicts.reduce<CallVerdict | null>((all, one) => (all === null ? one : stricter(all, one)), null) ??
    NO_LEVEL
  )
}

/** The stricter of two verdicts; of two asks one that a lasting rule can only answer where it answers both. */
function stricter(a: CallVerdict, b: CallVerdict): CallVerdict {
  if (a.action === 'ask' && b.action === 'ask') return isSame(a.asked, b.asked) ? a : { ...a, asked: null }
  if (a.action === 'allow' && b.action === 'allow') return a.by === null ? b : a
  return isStricter(b.action, a.action) ? b : a
}

function isSame(a: Requirement | null, b: Requirement | null): boolean {
  return a !== null && b !== null && a.permission === b.permission && a.pattern === b.pattern
}

/** Patterns of a lasting rule that would allow the requirement at every level, the narrowest first. */
export function proposeByPolicy(
  { levels }: Policy,
  requirement: Requirement,
  wider?: readonly string[],
): string[] {
  const [own = [], ...others] = levels.map(({ rules }) => proposePatterns(requirement, rules, wider))
  return own.filter((pattern) => others.every((patterns) => patterns.includes(pattern)))
}

/** The policy with one more rule. */
export function withPolicyRule({ levels, mode }: Policy, rule: PermissionRule): Policy {
  return { levels: levels.map((level) => ({ ...level, rules: [...level.rules, rule] })), mode }
}
