import { expect, test } from 'vitest'
import { checkSpec, type TestFile } from './coverage.ts'

const specs = [
  { folder: 'packages/core', rules: [{ id: 'RE-1', line: 3 }] },
  { folder: 'packages/db', rules: [{ id: 'DA-4', line: 5 }] },
]

const file = (path: string, ...names: string[]): TestFile => ({
  path,
  titles: names.map((title) => ({ kind: 'test', title, line: 1 })),
})

const core = file('packages/core/src/run/loop.test.ts', 'RE-1 a chunk is stored before it is shown')
const db = file('packages/db/src/rows.test.ts', 'DA-4 bytes come back')

test('QA-4 rules that have tests and tests that cite rules make no problem', () => {
  expect(checkSpec(specs, [core, db])).toEqual({
    problems: [],
    table: [
      { folder: 'packages/core', rules: 1, tested: 1, tests: 1 },
      { folder: 'packages/db', rules: 1, tested: 1, tests: 1 },
    ],
  })
})

test('QA-4 a rule without a test is a problem, with its line', () => {
  expect(checkSpec(specs, [core]).problems).toEqual(['packages/db/SPEC.md:5: DA-4 has no test'])
})

test('QA-4 a test is no proof of a rule of another folder', () => {
  const stray = file('packages/db/src/stray.test.ts', 'RE-1 in another folder')
  expect(checkSpec(specs, [core, db, stray]).problems).toEqual([
    'packages/db/src/stray.test.ts:1: cites RE-1, which its SPEC.md does not have',
  ])
})

test('QA-4 a port contract and a test of the whole product prove the rules of every folder', () => {
  const contract = file('packages/testing/src/store-contract.ts', 'DA-4 bytes come back')
  const browser = file('e2e/specs/chat.spec.ts', 'RE-1 a reload shows every word')
  expect(checkSpec(specs, [contract, browser]).problems).toEqual([])
  const command = file('scripts/readme/commands.test.ts', 'DA-4 a backup is a copy')
  expect(checkSpec(specs, [core, command]).problems).toEqual([])
})

test('QA-4 a title that starts with no rule, states no fact, or cannot be read is a problem', () => {
  const bad = file('packages/db/src/bad.test.ts', 'works', 'DA-4 it should work', 'DA-99 unknown')
  const computed: TestFile = {
    path: 'packages/db/src/computed.test.ts',
    titles: [{ kind: 'test', title: undefined, line: 7 }],
  }
  expect(checkSpec(specs, [core, db, bad, computed]).problems).toEqual([
    'packages/db/src/bad.test.ts:1: starts with no rule id: works',
    'packages/db/src/bad.test.ts:1: says "should" where it could state a fact: DA-4 it should work',
    'packages/db/src/bad.test.ts:1: cites DA-99, which its SPEC.md does not have',
    'packages/db/src/computed.test.ts:7: a title that cannot be read from the source',
  ])
})

test('QA-4 a rule written twice is a problem', () => {
  const doubled = [
    {
      folder: 'packages/core',
      rules: [
        { id: 'RE-1', line: 3 },
        { id: 'RE-1', line: 9 },
      ],
    },
  ]
  expect(checkSpec(doubled, [core]).problems).toEqual(['packages/core/SPEC.md:9: RE-1 is written twice'])
})
