import type { ListedRule } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { actOf, groupRules } from './rule-words.ts'

const rule = (over: Partial<ListedRule>): ListedRule => ({
  id: null,
  permission: 'edit',
  pattern: '*',
  action: 'allow',
  source: 'manifest',
  createdAt: null,
  workspaceRoot: null,
  ...over,
})
const given = (id: string, workspaceRoot: string) =>
  rule({ id, workspaceRoot, source: 'project', createdAt: 1 })

test('UI-31 rules are grouped by folder in alphabetical order, the order in each kept', () => {
  const rules = [given('r1', '/z'), given('r2', '/a'), given('r3', '/z')]
  expect(
    groupRules(rules).projects.map(({ workspaceRoot, rules: of }) => [workspaceRoot, of.map(({ id }) => id)]),
  ).toEqual([
    ['/a', ['r2']],
    ['/z', ['r1', 'r3']],
  ])
})

test('UI-31 what nobody gave is of the configuration or built in', () => {
  const [configured, builtIn] = [rule({ source: 'project' }), rule({})]
  expect(groupRules([builtIn, configured])).toEqual({
    projects: [],
    configured: [configured],
    builtIn: [builtIn],
  })
})

test('UI-31 a rule of one chat is in no group of a folder', () => {
  expect(groupRules([rule({ id: 'r1', source: 'session' })])).toEqual({
    projects: [],
    configured: [],
    builtIn: [],
  })
})

test.for([
  ['read', 'Read files'],
  ['edit', 'Change files'],
  ['network', 'Read web pages'],
  ['command', 'Run commands'],
  ['*', 'Everything'],
  ['mcp', 'Call MCP tools'],
  ['constructor', 'constructor'],
] as const)('UI-31 the permission %s reads "%s"', ([permission, words]) => {
  expect(actOf({ permission })).toBe(words)
})
