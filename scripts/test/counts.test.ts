import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Counts,
  failureLines,
  noCounts,
  playwrightCounts,
  sum,
  summaryLine,
  vitestCounts,
  withExitCode,
} from './counts.ts'

const counts = fc.record({
  passed: fc.nat(),
  failed: fc.nat(),
  failures: fc.array(fc.record({ title: fc.string(), why: fc.string() })),
  skipped: fc.array(fc.string()),
})

test('QA-1 tests are counted from vitest’s report, skipped ones by name', () => {
  const assertionResults = [
    { status: 'passed', fullName: ' RE-1 a' },
    { status: 'failed', fullName: ' RE-2 b', failureMessages: ['expected 1 to be 2'] },
    { status: 'skipped', fullName: ' RL-5 c' },
    { status: 'todo', fullName: ' RL-6 d' },
  ]
  expect(vitestCounts(JSON.stringify({ testResults: [{ assertionResults }] }))).toEqual({
    passed: 1,
    failed: 1,
    failures: [{ title: 'RE-2 b', why: 'expected 1 to be 2' }],
    skipped: ['RL-5 c', 'RL-6 d'],
  })
})

test('QA-1 tests are counted from Playwright’s report at any depth, a flaky one as failed', () => {
  const results = [{ errors: [{ message: 'It is hidden' }, {}] }]
  const spec = (title: string, status: string) => ({ title, tests: [{ status, results }] })
  const suites = [
    {
      specs: [spec('UI-1 a', 'expected'), spec('UI-2 b', 'unexpected')],
      suites: [{ specs: [spec('UI-3 c', 'flaky')], suites: [{ specs: [spec('UI-4 d', 'skipped')] }] }],
    },
  ]
  expect(playwrightCounts(JSON.stringify({ suites }))).toEqual({
    passed: 1,
    failed: 2,
    failures: ['UI-2 b', 'UI-3 c'].map((title) => ({ title, why: 'It is hidden\n' })),
    skipped: ['UI-4 d'],
  })
})

test('QA-1 a stage that breaks without a failed test counts as one failure', () => {
  const passed: Counts = { ...noCounts, passed: 3 }
  expect(withExitCode(passed, 0)).toEqual(passed)
  expect(withExitCode(passed, 1).failed).toBe(1)
  expect(withExitCode({ ...passed, failed: 2 }, 1).failed).toBe(2)
})

test('QA-1 the last line counts what passed and failed, and what was skipped when anything was', () => {
  expect(summaryLine({ ...noCounts, passed: 123 })).toBe('123 passed, 0 failed')
  expect(summaryLine({ ...noCounts, passed: 1, failed: 2, skipped: ['RL-5 a'] })).toBe(
    '1 passed, 2 failed, 1 skipped',
  )
})

test('QA-1 no test is lost when stages are added up', () => {
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      expect(sum([a, noCounts, b])).toEqual({
        passed: a.passed + b.passed,
        failed: a.failed + b.failed,
        failures: [...a.failures, ...b.failures],
        skipped: [...a.skipped, ...b.skipped],
      })
    }),
  )
})

test('QA-1 a failed test is named at the end with the beginning of what it said, without colours', () => {
  expect(failureLines({ title: 'UI-2 b', why: '\u001b[31mIt is\u001b[39m\nhidden\n' })).toBe(
    'failed: UI-2 b\n    It is\n    hidden',
  )
  expect(failureLines({ title: 'UI-2 b', why: '' })).toBe('failed: UI-2 b')
  const long = failureLines({ title: 'UI-2 b', why: `${'x'.repeat(1_000)}\n`.repeat(50) })
  expect(long.length).toBeLessThan(1_600)
  expect(failureLines({ title: 'UI-2 b', why: 'x\n'.repeat(50) }).split('\n')).toHaveLength(16)
})
