import {
  describeRule,
  type PermissionMode,
  type PermissionRule,
  type Requirement,
} from '../domain/permission/permission.ts'
import { evaluate, isAllowedBoxed, isStricter } from './evaluate.ts'
import type { WatchVerdict } from './watchdog.ts'

/** What a call is decided by. */
export type CallFacts = {
  requirements: readonly Requirement[]
  rules: readonly PermissionRule[]
  mode: PermissionMode
  /** What the watchdog asks for. */
  watched: WatchVerdict | null
}

export type CallVerdict =
  /** `by` names the rule or mode that allows the call; null for a call that requires nothing. */
  | { action: 'allow'; by: string | null }
  /** The reason is for the model. */
  | { action: 'deny'; reason: string }
  /** `asked` is what a lasting rule could allow; null where none could. */
  | { action: 'ask'; reason: string; asked: Requirement | null }

/** What plan mode denies, unless it only reads. */
const CHANGES: ReadonlySet<Requirement['permission']> = new Set(['edit', 'command', 'mcp', 'memory'])

/** Whether a call with this requirement may change something. */
export function changes({ permission, readOnly }: Requirement): boolean {
  return CHANGES.has(permission) && readOnly !== true
}

const PLAN = 'Plan mode is on: files can be read, nothing can be changed or run. Describe what you would do.'

/** The rule that the mode `accept-edits` adds: every more specific rule counts before it. */
const ACCEPT_EDITS: PermissionRule = { permission: 'edit', pattern: '*', action: 'allow', source: 'session' }

/** Decides about a call: by the mode, the rules, and the watchdog, which can only tighten. */
export function decideCall({ requirements, rules, mode, watched }: CallFacts): CallVerdict {
  if (mode === 'plan' && requirements.some(changes)) return { action: 'deny', reason: PLAN }
  const ruled = byRules(requirements, rules, mode)
  if (watched === null || !isStricter(watched.action, ruled.action)) return ruled
  const { reason } = watched
  return watched.action === 'deny' ? { action: 'deny', reason } : { action: 'ask', reason, asked: null }
}

function byRules(
  requirements: readonly Requirement[],
  rules: readonly PermissionRule[],
  mode: PermissionMode,
): CallVerdict {
  const verdict = evaluate(requirements, mode === 'accept-edits' ? [...rules, ACCEPT_EDITS] : rules)
  const { action, rule, requirement } = verdict
  if (requirement === null) return { action: 'allow', by: null }
  if (action === 'deny') return { action, reason: denied(requirement) }
  const mayBeDenied = action === 'ask' && rule?.action === 'deny'
  if (action === 'ask' && mode === 'full-access' && !mayBeDenied)
    return { action: 'allow', by: 'mode: full-access' }
  if (action === 'ask')
    return {
      action,
      reason: mayBeDenied ? mayDeny(requirement) : whyAsked(requirement, rule, rules),
      asked: askedAlone(requirements, rules, requirement),
    }
  if (rule === ACCEPT_EDITS) return { action: 'allow', by: 'mode: accept-edits' }
  return { action: 'allow', by: rule === null ? null : describeRule(rule) }
}

function whyAsked(
  requirement: Requirement,
  rule: PermissionRule | null,
  rules: readonly PermissionRule[],
): string {
  const { permission, pattern, reason } = requirement
  const what = `${permission} ${pattern}`
  if (rule !== null) return `A rule asks about this: ${what}.`
  const unruled = reason ?? `No rule allows this: ${what}.`
  return isAllowedBoxed(requirement, rules) ? `${unruled} ${BOXED}` : unruled
}

const BOXED = 'The lasting permission for it was given for a sandbox.'

function mayDeny({ pattern, anyOf }: Requirement): string {
  return `A rule denies a command that this may run: ${pattern}${anyOf === undefined ? '' : ' …'}.`
}

function denied({ permission, pattern, anyOf }: Requirement): string {
  return anyOf === undefined
    ? `A rule denies this: ${permission} ${pattern}.`
    : `A rule denies a command of ${anyOf}, and this may be any of them: ${pattern}.`
}

/** The requirement, if the others are allowed: one rule could allow the call. */
function askedAlone(
  requirements: readonly Requirement[],
  rules: readonly PermissionRule[],
  asked: Requirement,
): Requirement | null {
  const others = requirements.filter(
    ({ permission, pattern }) => permission !== asked.permission || pattern !== asked.pattern,
  )
  const isLasting = asked.once !== true && asked.always !== true && asked.maybe !== true
  return isLasting && evaluate(others, rules).action === 'allow' ? asked : null
}
