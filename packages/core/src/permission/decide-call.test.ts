import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PERMISSION_MODES, type PermissionRule, type Requirement } from '../domain/permission/permission.ts'
import { type CallFacts, decideCall } from './decide-call.ts'
import { isStricter } from './evaluate.ts'
import { proposePatterns } from './propose-patterns.ts'
import { watch } from './watchdog.ts'

const edit = (pattern: string): Requirement => ({ permission: 'edit', pattern })
const rule = (
  permission: string,
  pattern: string,
  action: PermissionRule['action'],
  source: PermissionRule['source'] = 'manifest',
): PermissionRule => ({ permission, pattern, action, source })

const READ = rule('read', '*', 'allow')
const GIT = rule('edit', '.git/*', 'ask')
const decide = (facts: Partial<CallFacts>) =>
  decideCall({ requirements: [edit('a.ts')], rules: [READ, GIT], mode: 'ask', watched: null, ...facts })

const CALL = {
  sessionId: 's',
  agentId: 'a',
  toolId: 't',
  args: {},
  mode: 'ask',
  workspaceRoot: null,
} as const

test('PE-5 a verdict names the rule or the mode that decided', () => {
  const rules = [READ, rule('edit', 'a.*', 'allow', 'session')]
  expect(decide({ rules })).toEqual({ action: 'allow', by: 'session: edit a.*' })
  expect(decide({ mode: 'accept-edits' })).toEqual({ action: 'allow', by: 'mode: accept-edits' })
  expect(decide({ mode: 'full-access' })).toEqual({ action: 'allow', by: 'mode: full-access' })
  expect(decide({ requirements: [] })).toEqual({ action: 'allow', by: null })
  expect(decide({ rules: [rule('edit', 'a.ts', 'deny')] })).toEqual({
    action: 'deny',
    reason: 'A rule denies this: edit a.ts.',
  })
})

test('PE-6 accept-edits allows changes of files that no rule is about, and nothing else', () => {
  const mode = 'accept-edits'
  expect(decide({ mode }).action).toBe('allow')
  expect(decide({ mode, requirements: [edit('.git/hooks/pre-commit')] }).action).toBe('ask')
  expect(decide({ mode, requirements: [{ ...edit('a.ts'), always: true }] }).action).toBe('ask')
  expect(decide({ mode, requirements: [{ permission: 'command', pattern: 'ls' }] }).action).toBe('ask')
  expect(decide({ mode, rules: [rule('edit', '*.ts', 'deny')] }).action).toBe('deny')
  expect(decide({ mode, rules: [rule('edit', '*', 'ask', 'session')] }).action).toBe('ask')
})

test('PE-6 plan mode denies every change and command, whatever the rules allow, and reads on', () => {
  const rules = [rule('*', '*', 'allow', 'session'), rule('edit', 'a.ts', 'allow', 'session')]
  expect(decide({ mode: 'plan', rules })).toMatchObject({
    action: 'deny',
    reason: expect.stringContaining('Plan'),
  })
  expect(
    decide({ mode: 'plan', rules, requirements: [{ permission: 'command', pattern: 'ls' }] }).action,
  ).toBe('deny')
  expect(decide({ mode: 'plan', requirements: [{ permission: 'read', pattern: 'a.ts' }] }).action).toBe(
    'allow',
  )
})

test('PE-6 full access asks about nothing, and what a rule denies stays denied', () => {
  const mode = 'full-access'
  expect(decide({ mode, requirements: [{ permission: 'command', pattern: 'rm x' }] }).action).toBe('allow')
  expect(decide({ mode, requirements: [edit('.git/config')] }).action).toBe('allow')
  expect(decide({ mode, rules: [rule('edit', '*', 'deny')] }).action).toBe('deny')
})

test('PE-4 a watchdog only tightens, whatever rules and mode are, and one that throws denies', () => {
  const rules = fc.array(
    fc.record({
      permission: fc.constantFrom('edit', '*'),
      pattern: fc.constantFrom('a.ts', 'a*', '*'),
      action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      source: fc.constantFrom('manifest' as const, 'project' as const, 'session' as const),
    }),
  )
  const watched = fc.option(
    fc.record({
      action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      reason: fc.string(),
    }),
  )
  fc.assert(
    fc.property(rules, watched, fc.constantFrom(...PERMISSION_MODES), (given, verdict, mode) => {
      const alone = decide({ rules: given, mode })
      const both = decide({ rules: given, mode, watched: verdict })
      expect(isStricter(alone.action, both.action)).toBe(false)
      if (verdict !== null) expect(isStricter(verdict.action, both.action)).toBe(false)
    }),
  )
  const failing = () => {
    throw new Error('Broken')
  }
  expect(watch(failing, CALL)?.action).toBe('deny')
  expect(watch(undefined, CALL)).toBeNull()
})

test('PE-4 what only the watchdog asks about can be allowed once, and not for ever', () => {
  const watched = { action: 'ask', reason: 'It downloads.' } as const
  const rules = [rule('edit', '*', 'allow')]
  expect(decide({ rules, watched })).toEqual({ action: 'ask', reason: 'It downloads.', asked: null })
})

test('PE-2 PE-7 only a path has its folder as a wider pattern: no command, host, server or memory has', () => {
  expect(proposePatterns({ permission: 'read', pattern: 'x/y' }, [])).toEqual(['x/y', 'x/*'])
  for (const permission of ['network', 'mcp', 'memory'] as const)
    expect(proposePatterns({ permission, pattern: 'x/y' }, []), permission).toEqual(['x/y'])
  for (const pattern of ['rm x/y', 'npm run x/y', 'x/y'])
    expect(proposePatterns({ permission: 'command', pattern }, []), pattern).toEqual([pattern])
  const widened = proposePatterns({ permission: 'command', pattern: 'rm x/y' }, [], ['rm x/*', 'rm *'])
  expect(widened).toEqual(['rm x/y'])
})

test('PE-2 the narrow and the wider pattern of a path are proposed, and none for what cannot be widened safely', () => {
  expect(proposePatterns(edit('src/a/b.ts'), [])).toEqual(['src/a/b.ts', 'src/a/*'])
  expect(proposePatterns(edit('b.ts'), [])).toEqual(['b.ts'])
  expect(proposePatterns(edit('src/*.ts'), [])).toEqual([])
  expect(proposePatterns({ permission: 'command', pattern: 'npm test' }, [])).toEqual(['npm test'])
  expect(proposePatterns(edit('x'.repeat(2_000)), [])).toEqual([])
  expect(proposePatterns(edit('src/a.ts'), [rule('edit', 'src/a.*', 'ask')])).toEqual(['src/a.ts'])
  const command = { permission: 'command', pattern: 'git fetch origin' } as const
  expect(proposePatterns(command, [], ['git fetch *'])).toEqual(['git fetch origin', 'git fetch *'])
  expect(decide({ requirements: [edit('a'), edit('b')] })).toMatchObject({ action: 'ask', asked: null })
})
