import { expect, test } from 'vitest'
import {
  type PermissionRule,
  type Requirement,
  readRule,
  toRuleEntry,
} from '../domain/permission/permission.ts'
import { decideCall } from './decide-call.ts'
import { evaluate } from './evaluate.ts'

const rule = (pattern: string, more: Partial<PermissionRule> = {}): PermissionRule => ({
  permission: 'command',
  pattern,
  action: 'allow',
  source: 'session',
  ...more,
})
const command = (more: Partial<Requirement> = {}): Requirement => ({
  permission: 'command',
  pattern: 'make check',
  reason: 'It may change something.',
  ...more,
})
const decide = (requirement: Requirement, rules: PermissionRule[], mode: 'ask' | 'full-access' = 'ask') =>
  decideCall({ requirements: [requirement], rules, mode, watched: null })

test('PE-7 a lasting permission that was given in a sandbox allows nothing without one, and the ask says why', () => {
  const boxed = rule('make check', { boxed: true })
  expect(decide(command(), [boxed]).action).toBe('allow')
  expect(decide(command({ unboxed: true }), [boxed])).toEqual({
    action: 'ask',
    reason: 'It may change something. The lasting permission for it was given for a sandbox.',
    asked: command({ unboxed: true }),
  })
  expect(decide(command({ unboxed: true }), [rule('make check')]).action).toBe('allow')
  // One that denies counts in both.
  const denied = rule('make check', { boxed: true, action: 'deny' })
  expect(decide(command({ unboxed: true }), [denied]).action).toBe('deny')
  expect(decide(command({ unboxed: true }), [rule('other', { boxed: true })])).toMatchObject({
    reason: 'It may change something.',
  })
  expect(decide(command({ unboxed: true }), [boxed], 'full-access').action).toBe('allow')
})

test('PE-7 a stored permission for a command counts without a sandbox only where that is stored with it', () => {
  const entry = { id: 'r', permission: 'command', pattern: 'make check', action: 'allow', createdAt: 1 }
  expect(readRule(entry, 'session')).toMatchObject({ boxed: true })
  for (const unboxed of ['true', 1, false, null])
    expect(readRule({ ...entry, unboxed }, 'project')).toMatchObject({ boxed: true })
  expect(readRule({ ...entry, unboxed: true }, 'session')).not.toHaveProperty('boxed')
  expect(readRule({ ...entry, permission: 'edit' }, 'session')).not.toHaveProperty('boxed')
  for (const given of [
    rule('make check', { boxed: true }),
    rule('make check'),
    rule('a/*', { permission: 'edit' }),
  ]) {
    const stored = { ...given, source: 'session', id: 'r', createdAt: 1 } as const
    expect(readRule(toRuleEntry(stored), 'session')).toEqual(stored)
  }
})

test('PE-1 a rule that denies what a line may run is asked about, in full access too, and no reply to it lasts', () => {
  const maybe = command({ pattern: 'npm publish', readOnly: true, maybe: true })
  for (const pinned of [{ pinned: true } as const, {}]) {
    const denies = rule('npm publish*', { action: 'deny', ...pinned })
    for (const mode of ['ask', 'full-access'] as const)
      expect(decide(maybe, [denies], mode)).toEqual({
        action: 'ask',
        reason: 'A rule denies a command that this may run: npm publish.',
        asked: null,
      })
    // It counts against a permission for the line itself.
    const line = command({ pattern: 'npx --odd x' })
    const rules = [denies, rule('npx --odd x')]
    expect(decideCall({ requirements: [line, maybe], rules, mode: 'ask', watched: null }).action).toBe('ask')
  }
  expect(decide(maybe, [rule('npm run *', { action: 'deny' })]).action).toBe('allow')
  expect(decide(command({ pattern: 'npm publish' }), [rule('npm publish*', { action: 'deny' })]).action).toBe(
    'deny',
  )
})

test('PE-1 words that a line does not show may be those of any command that begins as it does', () => {
  const open = command({ pattern: 'git push', readOnly: true, maybe: true, anyOf: 'git push' })
  for (const pattern of ['git push', 'git push *', 'git push --force *', 'git*', '*'])
    expect([pattern, evaluate([open], [rule(pattern, { action: 'deny' })]).action]).toEqual([pattern, 'ask'])
  for (const pattern of ['git pushx', 'git pull *', 'push'])
    expect([pattern, evaluate([open], [rule(pattern, { action: 'deny' })]).action]).toEqual([
      pattern,
      'allow',
    ])
  expect(decide(open, [rule('git push *', { action: 'deny' })])).toMatchObject({
    reason: 'A rule denies a command that this may run: git push ….',
  })
})

const file = (pattern: string, rules: PermissionRule[], permission: 'edit' | 'read' = 'edit') =>
  evaluate(
    [{ permission, pattern }],
    rules.map((one) => ({ ...one, permission })),
  ).action

test('PE-1 a rule that denies or asks about a file counts for every spelling that a disk may take for its name', () => {
  for (const name of ['x.pem', 'x.PEM', 'deep/X.Pem', 'x.ｐｅｍ', 'x.p\u200bem', 'x.pe\u00adm'])
    for (const permission of ['edit', 'read'] as const) {
      expect([name, file(name, [rule('*.pem', { action: 'deny', pinned: true })], permission)]).toEqual([
        name,
        'deny',
      ])
      expect([name, file(name, [rule('*'), rule('*.PEM', { action: 'ask' })], permission)]).toEqual([
        name,
        'ask',
      ])
    }
  expect(file('x.pemx', [rule('*.pem', { action: 'deny' }), rule('*')])).toBe('allow')
  // What allows matches as it is, and commands do in every rule: `-d` is not `-D`.
  expect(file('SRC/a', [rule('src/*')])).toBe('ask')
  const branch = [rule('git branch -D *', { action: 'deny' }), rule('*')]
  expect(evaluate([command({ pattern: 'git branch -d x' })], branch).action).toBe('allow')
})
