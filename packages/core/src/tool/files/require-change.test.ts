import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { PERMISSION_MODES, type PermissionRule } from '../../domain/permission/permission.ts'
import { decideCall } from '../../permission/decide-call.ts'
import { proposePatterns } from '../../permission/propose-patterns.ts'
import { editTool } from '../edit.ts'
import { writeTool } from '../write.ts'
import { requireChange } from './require-change.ts'

const ALLOWED: PermissionRule[] = ['*', 'deep/er/*', '.mcp.json'].map((pattern) => ({
  permission: 'edit',
  pattern,
  action: 'allow',
  source: 'session',
}))

const PROTECTED = [
  '.mcp.json',
  '.MCP.json',
  'deep/er/.mcp.json',
  '.claude/settings.json',
  '.agents/skills/a/SKILL.md',
  '.husky/pre-commit',
  '.vscode/tasks.json',
  'palimpsest.config.json',
  '.git',
  '.git/hooks/pre-commit',
  'deep/er/.git/config',
] as const

const runtimeWith = (texts: Record<string, string>, links: Record<string, string> = {}) => {
  const files = createMemoryFiles(texts)
  const locate: typeof files.locate = async (root, path) => {
    const linked = Object.keys(links).find((name) => path === name || path.startsWith(`${name}/`))
    return await files.locate(root, linked === undefined ? path : path.replace(linked, links[linked] ?? ''))
  }
  const exists: typeof files.exists = async (root, path) => path in links || (await files.exists(root, path))
  return toolRuntime({ files: { ...files, locate, exists } })
}

test.for(PROTECTED)(
  'PE-6 a change of %s is asked about each time, with the reason, whatever rules allow',
  async (path) => {
    const runtime = runtimeWith({ 'a.ts': '' })
    for (const requirements of [
      await writeTool.requires({ path, content: '' }, runtime),
      await editTool.requires({ path, edits: [] }, runtime),
    ])
      for (const mode of PERMISSION_MODES) {
        const { action, ...verdict } = decideCall({ requirements, rules: ALLOWED, mode, watched: null })
        const expected = { ask: 'ask', 'accept-edits': 'ask', plan: 'deny', 'full-access': 'allow' }[mode]
        expect([mode, action]).toEqual([mode, expected])
        if (action === 'ask')
          expect(verdict).toEqual({
            asked: null,
            reason: expect.stringMatching(/^Other programs act on `\.?\w/),
          })
      }
  },
)

test('PE-6 a rule that denies counts for a protected name too, and none that would allow it is proposed', async () => {
  const requirements = await requireChange('.claude/a', runtimeWith({}))
  const rules: PermissionRule[] = [
    { permission: 'edit', pattern: '.claude/*', action: 'deny', source: 'project' },
  ]
  expect(decideCall({ requirements, rules, mode: 'full-access', watched: null }).action).toBe('deny')
  expect(requirements.flatMap((one) => proposePatterns(one, []))).toEqual([])
})

test('PE-6 a link is no way around a protected name: neither to one, nor from one', async () => {
  const runtime = runtimeWith(
    { 'shared/claude/settings.json': '{}' },
    { harmless: '.claude', '.claude': 'shared/claude' },
  )
  for (const path of ['harmless/settings.json', '.claude/settings.json', 'shared/claude/settings.json'])
    expect(await requireChange(path, runtime), path).toEqual([
      {
        permission: 'edit',
        pattern: expect.any(String),
        always: true,
        reason: expect.stringContaining('.claude'),
      },
    ])
  expect(await requireChange('shared/other', runtime)).toEqual([
    { permission: 'edit', pattern: 'shared/other' },
  ])
})

test('PE-6 files of a bare repository are asked about each time, and the one that makes a folder one', async () => {
  const bare = runtimeWith({ 'x/bare/HEAD': '', 'x/bare/objects/a': '', 'x/bare/refs/a': '' })
  expect(await requireChange('x/bare/hooks/post-update', bare)).toMatchObject([
    { always: true, reason: expect.stringContaining('`x/bare`') },
  ])
  expect(await requireChange('x/other', bare)).toEqual([{ permission: 'edit', pattern: 'x/other' }])
  const almost = runtimeWith({ 'b/objects/a': '', 'b/refs/a': '', 'c/HEAD': '' })
  expect(await requireChange('b/HEAD', almost)).toMatchObject([{ always: true }])
  expect(await requireChange('b/config', almost)).toEqual([{ permission: 'edit', pattern: 'b/config' }])
  expect(await requireChange('c/commondir', almost)).toMatchObject([{ always: true }])
  expect(await requireChange('objects/x', runtimeWith({ HEAD: '', 'refs/x': '' }))).toMatchObject([
    { always: true, reason: expect.stringContaining('`.`') },
  ])
})

test('PE-6 other files of a workspace that lies in a folder with a protected name are files like others', async () => {
  const runtime = toolRuntime({ files: createMemoryFiles(), workspaceRoot: '/home/me/.claude/tree' })
  expect(await requireChange('/home/me/.claude/tree/a.ts', runtime)).toEqual([
    { permission: 'edit', pattern: 'a.ts' },
  ])
})
