import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PERMISSION_MODES, type PermissionRule, type Requirement } from '../domain/permission/permission.ts'
import { isStricter } from './evaluate.ts'
import { decideByPolicy, type PolicyLevel, proposeByPolicy, withPolicyRule } from './policy.ts'

const rule = (permission: string, pattern: string, action: PermissionRule['action']): PermissionRule => ({
  permission,
  pattern,
  action,
  source: 'manifest',
})
const level = (rules: PermissionRule[], readOnly = false): PolicyLevel => ({ rules, readOnly })
const edit = (pattern: string): Requirement => ({ permission: 'edit', pattern })

const READ = rule('read', '*', 'allow')
const ALL = level([READ, rule('edit', '*', 'allow')])
const NONE = level([READ])
const NOT_A = level([READ, rule('edit', '*', 'allow'), rule('edit', 'a', 'deny')])

const decide = (levels: PolicyLevel[], requirements = [edit('a')], mode: 'ask' | 'full-access' = 'ask') =>
  decideByPolicy({ levels, mode }, requirements, null)

test('SA-1 a subagent may do what its agent and every agent above it may do: the strictest verdict counts', () => {
  expect(decide([ALL, ALL]).action).toBe('allow')
  expect(decide([ALL, NONE]).action).toBe('ask')
  expect(decide([NONE, ALL]).action).toBe('ask')
  expect(decide([ALL, NONE, NOT_A]).action).toBe('deny')
  expect(decide([ALL, NOT_A], [edit('b')]).action).toBe('allow')
})

test('SA-6 an agent that only reads changes nothing in any mode, nor does one below it', () => {
  const reads = level([READ, rule('edit', '*', 'allow')], true)
  for (const levels of [[reads], [ALL, reads], [reads, ALL]])
    expect(decide(levels, undefined, 'full-access')).toMatchObject({
      action: 'deny',
      reason: expect.stringContaining('only reads'),
    })
  expect(decide([reads], [{ permission: 'read', pattern: 'a' }]).action).toBe('allow')
})

test('SA-1 where nothing is known of what a run may do, nothing is allowed', () => {
  expect(decide([], undefined, 'full-access').action).toBe('deny')
})

test('SA-1 an ask of two agents for different things has no lasting answer', () => {
  const b = level([READ, rule('edit', 'a', 'allow')])
  expect(decide([NONE, NONE])).toMatchObject({ action: 'ask', asked: edit('a') })
  expect(decide([NONE, b], [edit('a'), edit('b')])).toMatchObject({ action: 'ask', asked: null })
})

const ACTIONS = ['allow', 'ask', 'deny'] as const
const anyRule = fc
  .tuple(
    fc.constantFrom('edit', 'read', 'command', '*'),
    fc.constantFrom('a', 'b', '*'),
    fc.constantFrom(...ACTIONS),
    fc.constantFrom('manifest', 'project', 'session'),
  )
  .map(([permission, pattern, action, source]): PermissionRule => ({ permission, pattern, action, source }))
const anyLevel = fc
  .tuple(fc.array(anyRule, { maxLength: 4 }), fc.boolean())
  .map(([rules, readOnly]) => level(rules, readOnly))
const anyRequirements = fc.array(
  fc.record({ permission: fc.constantFrom('edit', 'read', 'command'), pattern: fc.constantFrom('a', 'b') }),
  { maxLength: 3 },
)

test('SA-1 whatever the rules are, a subagent is never allowed more than any agent above it alone', () => {
  fc.assert(
    fc.property(
      fc.array(anyLevel, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...PERMISSION_MODES),
      anyRequirements,
      (levels, mode, requirements) => {
        const whole = decideByPolicy({ levels, mode }, requirements, null)
        for (const one of levels) {
          const alone = decideByPolicy({ levels: [one], mode }, requirements, null)
          expect(isStricter(alone.action, whole.action)).toBe(false)
        }
      },
    ),
  )
})

test('SA-1 each pattern that is proposed for a lasting rule allows the call at every level', () => {
  fc.assert(
    fc.property(fc.array(anyLevel, { minLength: 1, maxLength: 3 }), (levels) => {
      const policy = { levels: levels.map((one) => ({ ...one, readOnly: false })), mode: 'ask' } as const
      const verdict = decideByPolicy(policy, [edit('src/a.ts')], null)
      if (verdict.action !== 'ask' || verdict.asked === null) return
      for (const pattern of proposeByPolicy(policy, verdict.asked)) {
        const given = { ...rule('edit', pattern, 'allow'), source: 'session' } as const
        expect(decideByPolicy(withPolicyRule(policy, given), [edit('src/a.ts')], null).action).toBe('allow')
      }
    }),
  )
})
