import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAgentFiles } from './guidance.ts'
import { NO_SOURCES } from './source-folders.ts'

async function read(texts: Record<string, string>, sources = NO_SOURCES) {
  return await readAgentFiles('/w', {
    files: createMemoryFiles(texts),
    workspaces: createMemoryWorkspaces(['/w']),
    sources,
  })
}

async function readOne(path: string, yaml: string) {
  const { agents, warnings } = await read({ [path]: `---\ndescription: d\n${yaml}\n---\nYou review.` })
  return { agent: agents[0], texts: warnings.map(({ text }) => text) }
}

test('SA-7 a file gives prompt, model, tools, rules, limits and mode', async () => {
  const { agent, texts } = await readOne(
    '.agents/agents/reviewer.md',
    'mode: subagent\nmodel: lab/m2\ntools: [read, grep, bash]\nlimits: { max_steps: 7 }\n' +
      'rules:\n  - { permission: command, pattern: "npm test", action: allow }',
  )
  expect(agent).toMatchObject({
    id: 'reviewer',
    description: 'd',
    mode: 'subagent',
    prompt: 'You review.',
    model: { providerId: 'lab', modelId: 'm2' },
    tools: ['read', 'grep', 'bash', 'bash_output', 'bash_stop'],
    without: [],
    rules: [{ permission: 'command', pattern: 'npm test', action: 'allow', source: 'manifest' }],
    maxSteps: 7,
    source: 'project',
    path: '.agents/agents/reviewer.md',
  })
  expect(texts).toEqual([])
})

test('SA-7 an agent of Claude’s format keeps tools and limit; unknown keys and skipped questions warn', async () => {
  const { agent, texts } = await readOne(
    '.claude/agents/reviewer.md',
    'name: reviewer\ntools: Read, Bash(git diff:*), Magic\ndisallowedTools: Write\nmodel: sonnet\n' +
      'permissionMode: bypassPermissions\nmaxTurns: 3\nhooks: x',
  )
  expect(agent).toMatchObject({
    mode: 'subagent',
    tools: ['read', 'bash', 'bash_output', 'bash_stop'],
    without: ['write'],
    rules: [],
    model: null,
    maxSteps: 3,
    readOnly: false,
  })
  expect(texts).toEqual([
    'The key hooks is not known.',
    'There is no tool Magic.',
    'The permission mode bypassPermissions does not count: the chat’s does.',
    'The model sonnet names no provider: the chat’s is used.',
  ])
})

test('SA-7 an agent of Claude’s mode plan changes nothing', async () => {
  const { agent, texts } = await readOne('.claude/agents/a.md', 'permissionMode: plan\nmodel: inherit')
  expect([agent?.readOnly, texts]).toEqual([true, []])
})

test.for(['.opencode/agent/a.md', '.opencode/agents/a.md'])(
  'SA-7 an agent of opencode’s format, %s, keeps tools, permissions and steps',
  async (path) => {
    const { agent, texts } = await readOne(
      path,
      'mode: primary\nsteps: 9\ntemperature: 0.1\ntools: { write: false, edit: false, read: true }\n' +
        'permission: { edit: deny, bash: { "*": ask, "git *": allow, "rm": deny, "*x": allow }, magic: ask }',
    )
    expect(agent).toMatchObject({
      mode: 'primary',
      tools: null,
      without: ['write', 'edit'],
      maxSteps: 9,
      rules: [
        { permission: 'edit', pattern: '*', action: 'deny' },
        { permission: 'command', pattern: '*', action: 'ask' },
        { permission: 'command', pattern: 'git *', action: 'allow' },
      ],
    })
    expect(texts).toEqual([
      'The key temperature is not known.',
      'The rule for rm depends on its place, and is left out.',
      'The rule for *x depends on its place, and is left out.',
      'The permission magic is not known.',
    ])
  },
)

test.for([
  ['rules: all', 'Its rules are no list.'],
  ['rules: [x]', 'A rule has another shape and is left out.'],
  [
    'rules: [{ permission: magic, action: allow }]',
    'A rule has no known permission and action and is left out.',
  ],
  [
    'rules: [{ permission: command, pattern: "**", action: allow }]',
    'A rule that allows every command is left out.',
  ],
  ['rules: [{ permission: "*", pattern: x, action: allow }]', 'A rule that allows every call is left out.'],
  ['mode: boss', 'The mode boss is not known.'],
  ['limits: { max_steps: 0 }', 'The limit of steps is no number from 1 on.'],
])('SA-7 %s does not count, with a warning', async ([yaml = '', text]) => {
  const { agent, texts } = await readOne('.agents/agents/a.md', yaml)
  expect(agent?.rules).toEqual([])
  expect(texts).toEqual([text])
})

test('SA-7 files without description or text, with odd names and of one name are left out with a warning', async () => {
  const { agents, warnings } = await read(
    {
      '.agents/agents/a.md': '---\ndescription: First\n---\nA',
      '.claude/agents/a.md': '---\ndescription: Second\n---\nA',
      '.agents/agents/b.md': 'No front matter',
      '.agents/agents/c c.md': '---\ndescription: d\n---\nC',
      '.agents/agents/notes.txt': 'No agent',
      'agents/mine.md': '---\ndescription: Mine\n---\nM',
    },
    { own: '/own', bundled: null, skills: [] },
  )
  expect(agents.map(({ id, description, source }) => [id, description, source])).toEqual([
    ['a', 'First', 'project'],
    ['mine', 'Mine', 'user'],
  ])
  expect(warnings.map(({ path }) => path)).toEqual([
    '.agents/agents/c c.md',
    '.claude/agents/a.md',
    '.agents/agents/b.md',
  ])
})

test('SA-7 whatever a file holds, its rules are from the manifest and allow not everything, and its limit is bounded', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      'allow',
      'deny',
      '"*"',
      '[{permission: "*", action: allow}]',
      '{bash: {"*": allow}}',
      '{a: [x]}',
    ),
    fc.integer().map(String),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const key = fc.constantFrom(
    'tools',
    'rules',
    'permission',
    'mode',
    'model',
    'limits',
    'steps',
    'maxTurns',
    'name',
  )
  const lines = fc.array(fc.tuple(key, value), { maxLength: 6 })
  const path = fc.constantFrom('.agents/agents/a.md', '.claude/agents/a.md', '.opencode/agent/a.md')
  await fc.assert(
    fc.asyncProperty(path, lines, async (file, given) => {
      const { agent } = await readOne(file, given.map(([name, text]) => `${name}: ${text}`).join('\n'))
      if (agent === undefined) return
      expect(agent.maxSteps ?? 1).toBeLessThanOrEqual(1_000)
      expect(agent.rules.every(({ source }) => source === 'manifest')).toBe(true)
      const wide = agent.rules.filter(
        ({ action, permission, pattern }) => action === 'allow' && permission !== 'read' && pattern === '*',
      )
      expect(wide).toEqual([])
    }),
    { numRuns: 150 },
  )
})
