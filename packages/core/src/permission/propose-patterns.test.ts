import { expect, test } from 'vitest'
import { LIMITS } from '../domain/limits.ts'
import type { PermissionRule, Requirement } from '../domain/permission/permission.ts'
import { proposePatterns } from './propose-patterns.ts'

const edit = (pattern: string): Requirement => ({ permission: 'edit', pattern })
const rule = (pattern: string, action: PermissionRule['action']): PermissionRule => ({
  permission: 'edit',
  pattern,
  action,
  source: 'project',
})

test('PE-2 a file is proposed by itself and with its folder, and a file of the root by itself alone', () => {
  expect(proposePatterns(edit('src/deep/a.ts'), [])).toEqual(['src/deep/a.ts', 'src/deep/*'])
  expect(proposePatterns(edit('a.ts'), [])).toEqual(['a.ts'])
  expect(proposePatterns({ permission: 'network', pattern: 'a.test/b' }, [])).toEqual(['a.test/b'])
})

test('PE-2 no pattern is proposed that a rule could not hold, that has a star, or that would not allow the call', () => {
  const longest = 'a'.repeat(LIMITS.patternCharacters)
  expect(proposePatterns(edit(longest), [])).toEqual([longest])
  expect(proposePatterns(edit(`${longest}a`), [])).toEqual([])
  const inFolder = `${'a'.repeat(LIMITS.patternCharacters - 2)}/bb`
  expect(proposePatterns(edit(inFolder), [])).toEqual([inFolder.replace(/bb$/, '*')])
  expect(proposePatterns(edit('src/*.ts'), [])).toEqual([])
  expect(proposePatterns(edit('src/a'), [rule('src/a', 'deny')])).toEqual([])
  expect(proposePatterns(edit('src/a'), [rule('src/*', 'ask')])).toEqual(['src/a'])
})
