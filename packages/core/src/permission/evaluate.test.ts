import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PermissionRule, Requirement } from '../domain/permission/permission.ts'
import { evaluate } from './evaluate.ts'

const rule = (
  pattern: string,
  action: PermissionRule['action'],
  source: PermissionRule['source'] = 'manifest',
  more: Partial<PermissionRule> = {},
): PermissionRule => ({ permission: 'command', pattern, action, source, ...more })
/** Of a permission whose patterns match as they are, for every action. */
const editOf = (pattern: string, rules: PermissionRule[]) =>
  evaluate(
    [{ permission: 'edit', pattern }],
    rules.map((one) => ({ ...one, permission: 'edit' })),
  ).action
const command = (pattern: string): Requirement => ({ permission: 'command', pattern })
const actionOf = (pattern: string, rules: PermissionRule[]) => evaluate([command(pattern)], rules).action

test('PE-1 without a rule a person is asked, and a call that requires nothing is allowed', () => {
  expect(evaluate([command('ls')], [])).toEqual({ action: 'ask', rule: null, requirement: command('ls') })
  expect(evaluate([], [rule('*', 'deny')]).action).toBe('allow')
  expect(actionOf('ls', [{ ...rule('*', 'allow'), permission: 'edit' }])).toBe('ask')
  expect(actionOf('ls', [{ ...rule('*', 'allow'), permission: '*' }])).toBe('allow')
})

test('PE-1 the most specific match wins, whatever its scope and place', () => {
  const rules = [rule('*', 'allow', 'session'), rule('git push *', 'deny'), rule('git *', 'ask', 'project')]
  for (const ordered of [rules, rules.toReversed()]) {
    expect(actionOf('ls', ordered)).toBe('allow')
    expect(actionOf('git log', ordered)).toBe('ask')
    expect(actionOf('git push origin', ordered)).toBe('deny')
  }
})

test('PE-1 of equally specific rules that of the session counts before the project’s before the manifest’s', () => {
  const [manifest, project, session] = [
    rule('ls *', 'deny'),
    rule('ls *', 'ask', 'project'),
    rule('ls *', 'allow', 'session'),
  ]
  expect(editOf('ls x', [session, project, manifest])).toBe('allow')
  expect(editOf('ls x', [manifest, project])).toBe('ask')
  for (const equal of [
    [rule('ls *', 'allow'), rule('ls *', 'deny')],
    [rule('ls *', 'deny'), rule('ls *', 'allow')],
  ])
    expect(editOf('ls x', equal)).toBe('deny')
})

test('PE-1 a rule for the permission counts before one for every permission, however specific its pattern is', () => {
  const every = { ...rule('ls x', 'allow', 'session'), permission: '*' }
  for (const rules of [
    [every, rule('*', 'deny')],
    [rule('*', 'deny'), every],
  ])
    expect(actionOf('ls x', rules)).toBe('deny')
  expect(actionOf('ls x', [every])).toBe('allow')
})

test('PE-1 a pinned deny is never loosened, however specific another rule is', () => {
  const rules: fc.Arbitrary<PermissionRule[]> = fc.array(
    fc.record({
      permission: fc.constantFrom('command', '*'),
      pattern: fc.constantFrom('rm x', 'rm *', '*', 'r*x'),
      action: fc.constantFrom('allow' as const, 'ask' as const),
      source: fc.constantFrom('manifest' as const, 'project' as const, 'session' as const),
    }),
  )
  fc.assert(
    fc.property(rules, fc.nat(), (others, place) => {
      const pinned = rule('rm *', 'deny', 'manifest', { pinned: true })
      const all = others.toSpliced(place % (others.length + 1), 0, pinned)
      expect(evaluate([command('rm x')], all)).toEqual({
        action: 'deny',
        rule: pinned,
        requirement: command('rm x'),
      })
    }),
  )
})

test('PE-1 of several requirements the strictest verdict counts', () => {
  const rules = [rule('ls', 'allow'), rule('rm', 'deny')]
  expect(evaluate([command('ls'), command('pwd')], rules)).toMatchObject({
    action: 'ask',
    requirement: command('pwd'),
  })
  expect(evaluate([command('rm'), command('pwd'), command('ls')], rules).action).toBe('deny')
  expect(evaluate([command('ls'), command('ls')], rules).action).toBe('allow')
})

test('PE-1 a pattern matches as a regular expression of its pieces does', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '('), maxLength: 8 })
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '(', '*'), maxLength: 6 })
  fc.assert(
    fc.property(patterns, letters, (pattern, text) => {
      const source = pattern.replaceAll(/[.(]/g, '\\$&').replaceAll('*', '.*')
      const matches = new RegExp(`^${source}$`, 's').test(text)
      expect(editOf(text, [rule(pattern, 'allow')])).toBe(matches ? 'allow' : 'ask')
      expect(actionOf(text, [rule(pattern, 'deny')])).toBe(matches ? 'deny' : 'ask')
    }),
    { numRuns: 500 },
  )
})
