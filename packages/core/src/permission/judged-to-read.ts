import type { Requirement } from '../domain/permission/permission.ts'
import { evaluate } from './evaluate.ts'
import type { Policy } from './policy.ts'

/**
 * Whether a call that the policy allows is allowed only because all of its commands were judged to read: no rule is about one of
 * them, and the mode does not allow it.
 */
export function isJudgedToRead({ levels, mode }: Policy, requirements: readonly Requirement[]): boolean {
  const commands = requirements.filter(({ permission }) => permission === 'command')
  if (mode === 'full-access' || !commands.every(({ readOnly }) => readOnly === true)) return false
  return commands.some((command) => levels.some(({ rules }) => evaluate([command], rules).rule === null))
}
