import { expect, test } from 'vitest'
import { checkSizes } from './budgets.ts'

test('QA-4 a source file ends at 300 lines and a test at 500', () => {
  const files = [
    { path: 'packages/core/src/run/loop.ts', lines: 300 },
    { path: 'packages/core/src/run/short.ts', lines: 40 },
    { path: 'packages/core/src/run/tiny.ts', lines: 10 },
    { path: 'packages/core/src/run/loop.test.ts', lines: 500 },
    { path: 'packages/core/src/run/short.test.ts', lines: 200 },
  ]
  expect(checkSizes(files).problems).toEqual([])
  expect(checkSizes(files.map((file) => ({ ...file, lines: file.lines + 1 }))).problems).toEqual([
    'packages/core/src/run/loop.ts has 301 lines, 300 is the end',
    'packages/core/src/run/loop.test.ts has 501 lines, 500 is the end',
  ])
})

test('QA-4 the median of the source files is held, tests left out', () => {
  const report = checkSizes([
    { path: 'a.ts', lines: 20 },
    { path: 'b.ts', lines: 120 },
    { path: 'c.ts', lines: 130 },
    { path: 'a.test.ts', lines: 400 },
  ])
  expect(report.problems).toEqual(['the median file has 120 lines'])
})

test('QA-4 lines that only tests use count as tests', () => {
  const report = checkSizes([
    { path: 'packages/core/src/run/loop.ts', lines: 100 },
    { path: 'packages/testing/src/clock.ts', lines: 50 },
    { path: 'packages/core/src/run/loop.test.ts', lines: 60 },
    { path: 'e2e/pages/chat.ts', lines: 20 },
  ])
  expect(report.ratio).toBeCloseTo(1.3)
})

test('QA-4 fewer than 1.2 lines of tests for each line of source are too few', () => {
  const source = { path: 'a.ts', lines: 100 }
  expect(checkSizes([source, { path: 'a.test.ts', lines: 120 }]).problems).toEqual([])
  expect(checkSizes([source, { path: 'a.test.ts', lines: 119 }]).problems).toEqual([
    '1.19 lines of tests for each of source, 1.2 are due',
  ])
})

test('QA-4 an empty repository has no problem', () => {
  expect(checkSizes([])).toEqual({ problems: [], files: 0, median: 0, ratio: 0 })
})
