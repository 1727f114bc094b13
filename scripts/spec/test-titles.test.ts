import { expect, test } from 'vitest'
import { testTitles } from './test-titles.ts'

const titles = (text: string) => testTitles('x.test.ts', text).map(({ title }) => title)

test('QA-4 titles are read through modifiers, tables, properties and templates', () => {
  const text = `
    test('RE-1 plain', () => {})
    it.only("RE-2 double", async () => {})
    test.each<number>([1])(\`RE-3 row \${1}\`, (n: number) => {})
    test.prop([fc.integer()])('RE-4 property', () => {})
    test.skipIf(process.env['X'] === '1')('RE-5 conditional', run)
    test('RE-6 with options', { timeout: 5 }, () => {})
    test.each\`a\n\${1}\`('RE-7 tagged', () => {})`
  expect(titles(text)).toEqual([
    'RE-1 plain',
    'RE-2 double',
    'RE-3 row …',
    'RE-4 property',
    'RE-5 conditional',
    'RE-6 with options',
    'RE-7 tagged',
  ])
})

test('QA-4 hooks, steps, settings and reasons are no titles', () => {
  const text = `
    test.beforeEach(async () => {})
    test.step('open the page', async () => {})
    test.skip(absent, 'no browser')
    test.use({ viewport: null })
    regex.test('words')
    contest('RE-1 other', () => {})`
  expect(titles(text)).toEqual([])
})

test('QA-4 groups and tests, computed and literal titles are distinguished, each with its line', () => {
  const text = "test.describe('reload', () => {\n  test(name, () => {})\n})\n"
  expect(testTitles('x.spec.ts', text)).toEqual([
    { kind: 'describe', title: 'reload', line: 1 },
    { kind: 'test', title: undefined, line: 2 },
  ])
})

test('QA-4 tests that hold JSX are read', () => {
  expect(testTitles('x.test.tsx', "test('UI-1 draws', () => render(<p>hi</p>))")).toHaveLength(1)
})
