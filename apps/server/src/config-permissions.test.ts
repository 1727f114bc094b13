import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Config, readConfigFile } from './config-file.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const RULE = { permission: 'edit', pattern: 'src/*', action: 'allow' }

async function read(content: object): Promise<Config> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, JSON.stringify(content))
  return await readConfigFile(path)
}

const rulesOf = async (permissions: unknown) => (await read({ permissions })).permissions

test('CF-1 rules of the file keep their order, as the last one that matches decides', async () => {
  const rules = [RULE, { ...RULE, action: 'deny' }, { ...RULE, action: 'ask' }, RULE]
  expect(await rulesOf(rules)).toEqual(rules)
})

test.for(['read', 'edit', 'network', 'command', 'mcp', '*'])(
  'CF-1 a rule may be for the permission %s',
  async (permission) => {
    expect(await rulesOf([{ ...RULE, permission }])).toEqual([{ ...RULE, permission }])
  },
)

test('CF-1 a rule that denies may be pinned', async () => {
  const pinned = { ...RULE, action: 'deny', pinned: true }
  expect(await rulesOf([pinned])).toEqual([pinned])
})

test.for([
  ['permissions', {}],
  ['permissions', 'edit'],
  ['permissions', null],
  ['permissions.0', 'edit *'],
  ['permissions.0', [RULE]],
  ['permissions.0', null],
  ['permissions.0.permission', { ...RULE, permission: 'write' }],
  ['permissions.0.permission', { ...RULE, permission: 'Edit' }],
  ['permissions.0.permission', { ...RULE, permission: 'ed*' }],
  ['permissions.0.permission', { pattern: 'a', action: 'deny' }],
  ['permissions.0.pattern', { ...RULE, pattern: '' }],
  ['permissions.0.pattern', { ...RULE, pattern: 7 }],
  ['permissions.0.pattern', { ...RULE, pattern: ['a'] }],
  ['permissions.0.pattern', { ...RULE, pattern: 'x'.repeat(LIMITS.patternCharacters + 1) }],
  ['permissions.0.pattern', { permission: 'edit', action: 'deny' }],
  ['permissions.0.action', { ...RULE, action: 'allowed' }],
  ['permissions.0.action', { ...RULE, action: true }],
  ['permissions.0.action', { permission: 'edit', pattern: 'a' }],
  ['permissions.0.pinned', { ...RULE, pinned: true }],
  ['permissions.0.pinned', { ...RULE, action: 'ask', pinned: true }],
  ['permissions.0.pinned', { ...RULE, action: 'deny', pinned: false }],
  ['permissions.0.pinned', { ...RULE, action: 'deny', pinned: 'true' }],
  ['permissions.0.id', { ...RULE, id: 'r' }],
  ['permissions.0.source', { ...RULE, source: 'session' }],
] as const)('CF-1 what is wrong with a rule is named as %s: %j', async ([field, wrong]) => {
  const permissions = field === 'permissions' ? wrong : [wrong]
  await expect(rulesOf(permissions)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field,
    message: expect.stringContaining(`${field}: `),
  })
})

test('CF-1 a wrong rule is named by its place among the rules', async () => {
  const rules = [RULE, RULE, { ...RULE, action: 'maybe' }, RULE]
  await expect(rulesOf(rules)).rejects.toMatchObject({ field: 'permissions.2.action' })
})

test('CF-1 the reason why a rule is not pinned names what may be', async () => {
  await expect(rulesOf([{ ...RULE, pinned: true }])).rejects.toThrow('is only for a rule that denies')
})

test('CF-1 a file takes as many rules as a session, and patterns of the same length', async () => {
  const longest = { ...RULE, pattern: 'x'.repeat(LIMITS.patternCharacters) }
  const most = Array.from({ length: LIMITS.rules }, () => longest)
  expect(await rulesOf(most)).toHaveLength(LIMITS.rules)
  await expect(rulesOf([...most, RULE])).rejects.toMatchObject({ field: 'permissions' })
})

test('CF-1 a rule that is read is one of the schema, whatever the file holds', async () => {
  const odd = fc.oneof(
    fc.constantFrom('read', 'edit', 'network', 'command', 'mcp', '*', 'allow', 'deny', 'ask', '', true, null),
    fc.string({ maxLength: 5 }),
    fc.integer(),
  )
  const keys = fc.constantFrom('permission', 'pattern', 'action', 'pinned', 'more')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(keys, odd), { maxLength: 3 }), async (permissions) => {
      const found = await rulesOf(permissions).catch((error: unknown) => {
        expect(error).toMatchObject({
          code: 'INVALID_INPUT',
          field: expect.stringMatching(/^permissions\.\d+/),
        })
        return []
      })
      for (const { permission, action, pattern, pinned } of found) {
        expect(['read', 'edit', 'network', 'command', 'mcp', '*']).toContain(permission)
        expect(['allow', 'deny', 'ask']).toContain(action)
        expect(pattern.length).toBeGreaterThan(0)
        if (pinned !== undefined) expect([pinned, action]).toEqual([true, 'deny'])
      }
    }),
    { numRuns: 150 },
  )
})

test.for([
  ['workspaces', 'a folder'],
  ['workspaces.0', ['']],
  ['workspaces.0', [7]],
  ['workspaces.1', ['/a', 'x'.repeat(4_097)]],
  ['workspaces', Array.from({ length: 101 }, () => '/a')],
] as const)('CF-1 folders are a list of at most 100 paths: %s', async ([field, workspaces]) => {
  await expect(read({ workspaces })).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
})

test.for([0, 1_001, 1.5, '9'])('CF-1 an agent does not take %j steps', async (maxSteps) => {
  const field = 'agents.assistant.maxSteps'
  await expect(read({ agents: { assistant: { maxSteps } } })).rejects.toMatchObject({ field })
})

test.for([1, 1_000])('CF-1 an agent takes %i steps', async (maxSteps) => {
  expect((await read({ agents: { assistant: { maxSteps } } })).agents).toEqual({ assistant: { maxSteps } })
})
