import { expect, test } from 'vitest'
import { requireCommand } from '../../tool/bash/require-command.ts'
import { decideCall } from '../decide-call.ts'

const rules = [
  { permission: 'command', pattern: '*', action: 'allow', source: 'project' },
  { permission: 'read', pattern: '*', action: 'allow', source: 'manifest' },
] as const

async function verdictOf(line: string, mode: 'accept-edits' | 'full-access' = 'accept-edits') {
  const requirements = await requireCommand(line, null, null)
  return decideCall({ requirements, rules: [...rules], mode, watched: null })
}

test.for([
  'tee .mcp.json',
  'cp x .husky/pre-commit',
  'cp x deep/er/.vscode/',
  'mv settings.json ./.Claude/settings.json',
  'dd if=x of=.mcp.json',
  'sort -o.mcp.json x',
  'curl --output=sub/.mcp.json example.com',
  "sed -i s/a/b/ '.agents/skills/a/SKILL.md'",
  'tee .mcp.jso?',
  'rm -r .hus*',
  'git -C sub/.git config core.pager x',
  'ln -s x palimpsest.config.json',
  'npm run format .vscode/tasks.json',
  'make && tee opencode.json',
])(
  'PE-6 a line that may write a protected name is asked about each time, whatever rules allow: %s',
  async (line) => {
    expect(await verdictOf(line)).toEqual({
      action: 'ask',
      asked: null,
      reason: expect.stringContaining('by themselves, so a person is asked each time.'),
    })
    expect((await verdictOf(line, 'full-access')).action).toBe('allow')
  },
)

test.for([
  'cat .mcp.json',
  'ls -la .claude',
  'git add .vscode/tasks.json',
  'tee notes.json',
  'rm *.ts',
  'cp x .github/a',
])('PE-6 a line that reads a protected name, or writes another one, is not: %s', async (line) => {
  expect((await verdictOf(line)).action).toBe('allow')
})
