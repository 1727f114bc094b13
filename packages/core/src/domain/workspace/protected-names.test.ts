import { expect, test } from 'vitest'
import { isBareRepository, isProtectedName, mayMatchProtected, protectedPart } from './protected-names.ts'

test('PE-6 a protected name is found at any place of a path, in every spelling by which a disk may find it', () => {
  const spelled = [
    '.mcp.json',
    '.MCP.json',
    '.vſcode',
    '.cla\u200Cude',
    '．agents',
    '.husky',
    'OpenCode.json',
  ]
  for (const name of spelled) expect([name, isProtectedName(name)]).toEqual([name, true])
  for (const name of ['.mcp.json5', 'mcp.json', '.claude-2', '.gitignore', '.github', 'a.vscode', ''])
    expect([name, isProtectedName(name), protectedPart(name)]).toEqual([name, false, null])
  expect(protectedPart('a/b/.Claude/settings.json')).toBe('.Claude')
  expect(protectedPart('sub/.GIT/hooks/pre-commit')).toBe('.GIT')
  expect(protectedPart('src/git/config')).toBeNull()
})

test('PE-6 a pattern that may stand for a protected name is recognised', () => {
  for (const pattern of ['.mcp.jso?', '.[m]cp.json', '.hus*', '*.json', '.gi[st]', '.[!x]gents'])
    expect([pattern, mayMatchProtected(pattern)]).toEqual([pattern, true])
  for (const pattern of ['*.ts', '.env*', 'src*', '[a-z]', 'a(b|.git'])
    expect([pattern, mayMatchProtected(pattern)]).toEqual([pattern, false])
})

test('PE-6 git takes a folder for a repository by the names in it', () => {
  expect(isBareRepository(new Set(['HEAD', 'objects', 'refs']))).toBe(true)
  expect(isBareRepository(new Set(['HEAD', 'commondir']))).toBe(true)
  expect(isBareRepository(new Set(['HEAD', 'objects']))).toBe(false)
  expect(isBareRepository(new Set(['commondir', 'objects', 'refs']))).toBe(false)
})
