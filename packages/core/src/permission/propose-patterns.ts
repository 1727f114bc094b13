import { LIMITS } from '../domain/limits.ts'
import type { PermissionRule, Requirement } from '../domain/permission/permission.ts'
import { evaluate } from './evaluate.ts'

/**
 * Patterns that a lasting rule for this requirement could have, the narrowest first: the requirement's own and `wider` ones.
 * None for what holds a `*` itself, since a rule would read it as any text. Left out is what would not allow the
 * call, because a stricter rule is more specific.
 */
export function proposePatterns(
  requirement: Requirement,
  rules: readonly PermissionRule[],
  wider: readonly string[] = widerPatterns(requirement),
): string[] {
  const { permission, pattern: own } = requirement
  if (own.includes('*')) return []
  const proposed = [...new Set([own, ...wider])].filter(({ length }) => length <= LIMITS.patternCharacters)
  return proposed.filter((pattern) => {
    const rule: PermissionRule = { permission, pattern, action: 'allow', source: 'project' }
    return evaluate([requirement], [...rules, rule]).action === 'allow'
  })
}

/** For a path the folder that it is in, unless that is the whole workspace. A command or a host is not widened here. */
function widerPatterns({ permission, pattern }: Requirement): string[] {
  const slash = pattern.lastIndexOf('/')
  const isPath = permission === 'read' || permission === 'edit'
  return isPath && slash > 0 ? [`${pattern.slice(0, slash)}/*`] : []
}
