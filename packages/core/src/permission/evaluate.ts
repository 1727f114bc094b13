import type {
  PermissionAction,
  PermissionRule,
  Requirement,
  RuleSource,
  Verdict,
} from '../domain/permission/permission.ts'
import { foldName } from '../domain/workspace/protected-names.ts'
import { namedInCommand } from './bash/wide-rules.ts'

const SOURCES: Record<RuleSource, number> = { manifest: 0, project: 1, session: 2 }
const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/** Whether an action is stricter than another: `deny` than `ask` than `allow`. */
export function isStricter(action: PermissionAction, than: PermissionAction): boolean {
  return STRICTNESS[action] > STRICTNESS[than]
}

/**
 * Decides about a call with these requirements: the strictest verdict of all of them. For each the most specific rule counts, of
 * equally specific ones that of the session before the project's before the manifest's; a pinned deny before any other. Without
 * a rule the person is asked; about what requires that, in spite of a rule that allows it.
 */
export function evaluate(requirements: readonly Requirement[], rules: readonly PermissionRule[]): Verdict {
  const verdicts = requirements.map((requirement) => verdictOf(requirement, rules))
  return verdicts.reduce<Verdict>(
    (strictest, verdict) =>
      isStricter(verdict.action, strictest.action) || strictest.requirement === null ? verdict : strictest,
    { action: 'allow', rule: null, requirement: null },
  )
}

function verdictOf(requirement: Requirement, rules: readonly PermissionRule[]): Verdict {
  const rule = ruleFor(requirement, rules)
  const unruled = requirement.readOnly === true ? 'allow' : 'ask'
  const action = rule?.action ?? unruled
  if (action !== 'deny')
    return requirement.always === true
      ? { action: 'ask', rule: null, requirement }
      : { action, rule, requirement }
  return { action: requirement.maybe === true ? 'ask' : 'deny', rule, requirement }
}

/** The rule that counts: one that denies and is pinned, else the most specific one. */
function ruleFor(requirement: Requirement, rules: readonly PermissionRule[]): PermissionRule | null {
  let best: Match | null = null
  for (const rule of rules) {
    const named = namedBy(rule, requirement)
    if (named === null) continue
    if (rule.pinned === true && rule.action === 'deny') return rule
    const match = { rule, named }
    if (best === null || bySpecificity(match, best) >= 0) best = match
  }
  return best?.rule ?? null
}

/** Whether rules would allow it in a sandbox that do not without one. */
export function isAllowedBoxed(requirement: Requirement, rules: readonly PermissionRule[]): boolean {
  const { unboxed, ...boxed } = requirement
  return unboxed === true && evaluate([boxed], rules).action === 'allow'
}

/** A rule that matches, and how many characters of the requirement it names itself. */
type Match = { rule: PermissionRule; named: number }

/**
 * Null for a rule that does not match. What denies or asks matches any text; what allows a command allows no arguments that a
 * person could not see in it.
 */
function namedBy(rule: PermissionRule, requirement: Requirement): number | null {
  const { permission, pattern, exact, anyOf, unboxed } = requirement
  if (!matches(rule.permission, permission)) return null
  if (rule.boxed === true && unboxed === true && rule.action === 'allow') return null
  if (rule.action === 'allow' && exact === true && rule.pattern !== '*' && rule.pattern !== pattern)
    return null
  if (rule.action === 'allow' && permission === 'command') return namedInCommand(rule.pattern, pattern)
  const isAbout = isNamed(rule, requirement) || (anyOf !== undefined && isOfProgram(rule.pattern, anyOf))
  return isAbout ? literals(rule.pattern) : null
}

/** What denies or asks about a file does so by every spelling of its name that a disk may take for it. */
function isNamed({ pattern: named, action }: PermissionRule, { permission, pattern }: Requirement): boolean {
  const isFile = permission === 'read' || permission === 'edit'
  if (matches(named, pattern)) return true
  return isFile && action !== 'allow' && matches(foldName(named), foldName(pattern))
}

/** Whether a pattern matches some command of a program. */
function isOfProgram(pattern: string, program: string): boolean {
  const [named = '', ...wild] = pattern.split('*')
  const isOwn = named === program || named.startsWith(`${program} `)
  return isOwn || (wild.length > 0 && program.startsWith(named))
}

/** Positive for the more specific rule; of equals, for that of the narrower scope, and the stricter one after it. */
function bySpecificity(a: Match, b: Match): number {
  return (
    literals(a.rule.permission) - literals(b.rule.permission) ||
    a.named - b.named ||
    SOURCES[a.rule.source] - SOURCES[b.rule.source] ||
    STRICTNESS[a.rule.action] - STRICTNESS[b.rule.action]
  )
}

function literals(pattern: string): number {
  return pattern.replaceAll('*', '').length
}

/** Whether `*` in the pattern can stand for parts of the text so that both are equal. Linear in both. */
function matches(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === text
  if (!text.startsWith(pattern.slice(0, star))) return false
  const [last = '', ...others] = pattern
    .slice(star + 1)
    .split('*')
    .reverse()
  let from = star
  for (const piece of others.reverse()) {
    const at = text.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
