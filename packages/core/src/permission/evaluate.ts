import type { PermissionAction, PermissionRule, Requirement, Verdict } from '../domain/permission.ts'

const SOURCES: Record<PermissionRule['source'], number> = { manifest: 0, project: 1, session: 2 }
const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/**
 * Decides about a call with these requirements: the strictest verdict of all of them. For each the most specific rule counts, of
 * equally specific ones that of the session before the project's before the manifest's; a pinned deny before any other. Without
 * a rule the person is asked.
 */
export function evaluate(requirements: readonly Requirement[], rules: readonly PermissionRule[]): Verdict {
  const verdicts = requirements.map((requirement) => verdictOf(requirement, rules))
  return verdicts.reduce<Verdict>(
    (strictest, verdict) =>
      STRICTNESS[verdict.action] > STRICTNESS[strictest.action] || strictest.requirement === null
        ? verdict
        : strictest,
    { action: 'allow', rule: null, requirement: null },
  )
}

function verdictOf(requirement: Requirement, rules: readonly PermissionRule[]): Verdict {
  const matching = rules.filter((rule) => matchesRule(rule, requirement))
  const pinned = matching.find(({ pinned, action }) => pinned === true && action === 'deny')
  const rule = pinned ?? matching.toSorted(bySpecificity).at(-1) ?? null
  return { action: rule?.action ?? 'ask', rule, requirement }
}

function matchesRule(rule: PermissionRule, { permission, pattern }: Requirement): boolean {
  return matches(rule.permission, permission) && matches(rule.pattern, pattern)
}

/** Least specific first; of equals, that of the narrower scope last, and the stricter one after it. */
function bySpecificity(a: PermissionRule, b: PermissionRule): number {
  return (
    literals(a.permission) - literals(b.permission) ||
    literals(a.pattern) - literals(b.pattern) ||
    SOURCES[a.source] - SOURCES[b.source] ||
    STRICTNESS[a.action] - STRICTNESS[b.action]
  )
}

function literals(pattern: string): number {
  return pattern.replaceAll('*', '').length
}

/** Whether `*` in the pattern can stand for parts of the text so that both are equal. Linear in both. */
export function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const piece of rest) {
    const at = text.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
