import { isObject } from '../domain/json/stored-keys.ts'
import { LIMITS } from '../domain/limits.ts'
import type { PermissionAction, PermissionRule } from '../domain/permission/permission.ts'

/** The rules of an agent, and what of its file does not count. */
export type RuleReport = { rules: readonly PermissionRule[]; warnings: readonly string[] }

const PERMISSIONS: readonly string[] = ['read', 'edit', 'network', 'command', '*']
const ACTIONS = ['allow', 'deny', 'ask'] as const
const MAX_RULES = 200

/** Rules as this product writes them: a list of `{permission, pattern, action}`. */
export function ownRules(value: unknown): RuleReport {
  if (value === undefined || value === null) return NONE
  if (!Array.isArray(value)) return { rules: [], warnings: ['Its rules are no list.'] }
  return collect(value.slice(0, MAX_RULES).map(toRule))
}

/** What opencode calls the permissions of ours. */
const OPENCODE: ReadonlyMap<string, string> = new Map([
  ['edit', 'edit'],
  ['bash', 'command'],
  ['webfetch', 'network'],
  ['read', 'read'],
])

/**
 * Rules of opencode: an action for each permission, or for patterns of one. There the last match wins and here the most specific one, so
 * patterns count only where both agree: each more specific than those before it.
 */
export function opencodeRules(value: unknown): RuleReport {
  if (value === undefined || value === null) return NONE
  if (!isObject(value)) return { rules: [], warnings: ['Its permissions have another shape.'] }
  const parts = Object.entries(value).flatMap(([name, given]): Part[] => {
    const permission = OPENCODE.get(name)
    if (permission === undefined) return [{ warning: `The permission ${name.slice(0, 100)} is not known.` }]
    if (!isObject(given)) return [toRule({ permission, pattern: '*', action: given })]
    const patterns = Object.entries(given).slice(0, MAX_RULES)
    const lengths = patterns.map(([pattern]) => pattern.replaceAll('*', '').length)
    return patterns.map(([pattern, action], index) =>
      lengths.slice(0, index).some((length) => length > (lengths[index] ?? 0))
        ? { warning: `The rule for ${pattern.slice(0, 100)} depends on its place, and is left out.` }
        : toRule({ permission, pattern, action }),
    )
  })
  return collect(parts)
}

/** Claude's modes: `plan` is a property of the agent, and what skips questions does not count. */
export function claudeRules(mode: string | null): RuleReport {
  if (mode === null || mode === 'default' || mode === 'plan') return NONE
  return {
    rules: [],
    warnings: [`The permission mode ${mode.slice(0, 100)} does not count: the chat’s does.`],
  }
}

type Part = { rule: PermissionRule } | { warning: string }

const NONE: RuleReport = { rules: [], warnings: [] }

function toRule(value: unknown): Part {
  if (!isObject(value)) return { warning: 'A rule has another shape and is left out.' }
  const { permission, pattern = '*' } = value
  const action: PermissionAction | undefined = ACTIONS.find((one) => one === value['action'])
  if (typeof permission !== 'string' || !PERMISSIONS.includes(permission) || action === undefined)
    return { warning: 'A rule has no known permission and action and is left out.' }
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > LIMITS.patternCharacters)
    return { warning: 'A rule has no pattern of usual length and is left out.' }
  // A file must not do what only the person's mode of full access does.
  if (action === 'allow' && permission !== 'read' && (permission === '*' || /^\**$/.test(pattern)))
    return { warning: `A rule that allows every ${permission === '*' ? 'call' : permission} is left out.` }
  return { rule: { permission, pattern, action, source: 'manifest' } }
}

function collect(parts: readonly Part[]): RuleReport {
  return {
    rules: parts.flatMap((part) => ('rule' in part ? [part.rule] : [])),
    warnings: parts.flatMap((part) => ('warning' in part ? [part.warning] : [])),
  }
}
