import type {
  PermissionAction,
  PermissionRule,
  Requirement,
  RuleSource,
  Verdict,
} from '../domain/permission.ts'
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
  let best: Match | null = null
  for (const rule of rules) {
    const named = namedBy(rule, requirement)
    if (named === null) continue
    if (rule.pinned === true && rule.action === 'deny') return { action: 'deny', rule, requirement }
    const match = { rule, named }
    if (best === null || bySpecificity(match, best) >= 0) best = match
  }
  const unruled = requirement.readOnly === true ? 'allow' : 'ask'
  if (requirement.always === true && best?.rule.action !== 'deny')
    return { action: 'ask', rule: null, requirement }
  return { action: best?.rule.action ?? unruled, rule: best?.rule ?? null, requirement }
}

/** A rule that matches, and how many characters of the requirement it names itself. */
type Match = { rule: PermissionRule; named: number }

/**
 * Null for a rule that does not match. What denies or asks matches any text; what allows a command allows no arguments that a
 * person could not see in it.
 */
function namedBy(rule: PermissionRule, { permission, pattern, exact, anyOf }: Requirement): number | null {
  if (!matches(rule.permission, permission)) return null
  if (rule.action === 'allow' && exact === true && rule.pattern !== '*' && rule.pattern !== pattern)
    return null
  if (rule.action === 'allow' && permission === 'command') return namedInCommand(rule.pattern, pattern)
  const isAbout = matches(rule.pattern, pattern) || (anyOf !== undefined && isOfProgram(rule.pattern, anyOf))
  return isAbout ? literals(rule.pattern) : null
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
