// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { markdownCost } from './markdown-cost.ts'
import { MarkdownRenderer } from './markdown-renderer.tsx'
import { shortenMarks } from './shorten-marks.ts'
import { withoutMarks } from './without-marks.ts'

const NOTE = /Shown as plain text/
/** Levels of elements that a message may have; the renderer itself allows 200 of its tree. */
const MOST_LEVELS = 260

function growingRuns(sign: string, characters: number): string {
  const runs: string[] = []
  for (let length = 1, all = 0; all < characters; length++, all += length) runs.push(sign.repeat(length))
  return runs.join(' ')
}

const HEAVY: [what: string, text: string][] = [
  ['2,000 quotes', '>'.repeat(2_000)],
  ['2,000 quotes with spaces', '> '.repeat(2_000)],
  ['2,000 lists in one line', '- '.repeat(2_000)],
  ['lists inside lists', Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n')],
  ['numbered lists in one line', '1. '.repeat(2_000)],
  ['growing backtick runs', growingRuns('`', 200_000)],
  ['growing dollar runs', growingRuns('$', 200_000)],
  ['nested emphasis', '*a **b '.repeat(20_000)],
  ['closed emphasis', '*a '.repeat(4_000) + 'a* '.repeat(4_000)],
  ['stars around a letter', `${'*'.repeat(6_000)}a${'*'.repeat(6_000)}`],
  ['open brackets', '['.repeat(50_000)],
  ['closed brackets', '['.repeat(25_000) + ']'.repeat(25_000)],
  ['open images', '!['.repeat(50_000)],
  ['open links', '[a](<b'.repeat(10_000)],
  ['dollars', '$'.repeat(50_000)],
  ['open formulas', '\\['.repeat(50_000)],
  ['open comments', '<!-- '.repeat(20_000)],
  ['open tags', '<a b="'.repeat(20_000)],
  ['entities', '&amp;'.repeat(20_000)],
  ['backslashes', '\\'.repeat(100_000)],
  ['a lazy quote', `> a\n${'a\n'.repeat(10_000)}`],
  ['a wide table', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'b|'.repeat(10_000)}`],
  ['a long table', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(10_000)}`],
  ['a line of 1 MB', 'a'.repeat(1_000_000)],
  ['an address of 100 kB', `https://example.org/${'a('.repeat(50_000)}`],
  ['deep HTML', '<div>'.repeat(20_000)],
  ['a list of 10,000', '- a\n'.repeat(10_000)],
  ['definitions', '[a]: b\n'.repeat(20_000)],
  ['lines of open brackets', '[\n'.repeat(100_000)],
  ['a fence of 2 MB', `\`\`\`js\n${'let a = 1\n'.repeat(200_000)}\`\`\``],
  ['brackets behind a fence in a comment', `<!--\n\`\`\`\n-->\n${'['.repeat(25_000)}${']'.repeat(25_000)}`],
  ['brackets behind a fence in a formula', `$$\n\`\`\`\n$$\n${'['.repeat(25_000)}${']'.repeat(25_000)}`],
  ['brackets in what only looks like items', `a\n${'    - [[[[[[[[[[]]]]]]]]]]\n'.repeat(500)}`],
  ['brackets in what only looks like a table', `a|b\\|c\n|-|-|\n${'|[[[[[[[[[[]]]]]]]]]]|\n'.repeat(500)}`],
  ['brackets behind a mark that is no fence', `\`\`\` a\`b\n${'['.repeat(25_000)}${']'.repeat(25_000)}`],
]

test.each(HEAVY)('SX-11 %s is shown as plain text, finished or growing', (_, text) => {
  for (const streaming of [false, true]) {
    using page = show(<MarkdownRenderer text={text} streaming={streaming} />)
    expect(page.getAllByText(NOTE).length).toBeGreaterThan(0)
    expect(levelsOf(page.container)).toBeLessThan(MOST_LEVELS)
    expect(page.container.textContent?.length).toBeLessThan(60_000)
  }
})

test('SX-11 a message beyond the budget shows all of its words, a part at a time', () => {
  using page = show(<MarkdownRenderer text={`${'['.repeat(25_000)}the end`} streaming={false} />)
  expect(page.container.textContent).not.toContain('the end')
  fireEvent.click(page.getByRole('button', { name: /Show more/ }))
  expect(page.container.textContent).toContain('the end')
})

test.each([
  ['prose', 'Some words *and* some `code` with [a](https://example.org) link.\n\n'.repeat(2_000)],
  ['a table of 300 rows', `|a|b|c|\n|-|-|-|\n${'|words|more words|1.5|\n'.repeat(300)}`],
  ['a table of bold words', `|a|b|\n|-|-|\n${'|**a**|**b**|\n'.repeat(300)}`],
  ['a nested list', '- **One**\n  - **Two** and\n    more\n    - **Three** `x`\n'.repeat(100)],
  ['a list of 300', '- **One**: with `code` and words\n'.repeat(300)],
  ['code of 1,000 lines', `\`\`\`js\n${'const a = [1, 2, { b: "c" }] // `x`\n'.repeat(1_000)}\`\`\``],
  ['a deep outline', Array.from({ length: 10 }, (_, at) => `${'  '.repeat(at)}- level`).join('\n')],
])('UI-6 %s is within the budget', (_, text) => {
  expect(markdownCost(text.slice(0, 20_000))).toBeLessThan(200_000_000)
  using page = show(<MarkdownRenderer text={text.slice(0, 20_000)} streaming={false} />)
  expect(page.queryByText(NOTE)).toBeNull()
})

test('SX-11 one part of a message beyond the budget leaves the rest formatted', () => {
  const words = 'Words. '.repeat(60)
  using page = show(
    <MarkdownRenderer
      text={`**Before** ${words}\n\nThen ${'['.repeat(5_000)}\n\nAfter ${words}\n\n**Last** word`}
      streaming={false}
    />,
  )
  expect(page.getByText('Before').tagName).toBe('STRONG')
  expect(page.getAllByText(NOTE)).toHaveLength(1)
})

test('SX-11 a character keeps a few combining marks, and no text loses its letters', () => {
  expect(shortenMarks(`a${'\u0301'.repeat(200_000)}b`)).toBe(`a${'\u0301'.repeat(16)}…b`)
  const family = '👩‍👩‍👧‍👦 नमस्ते مَرْحَبًا Z͑ͫ'
  expect(shortenMarks(family)).toBe(family)
})

test('SX-11 a formula that is too long or too large is code, and a nested one draws', async () => {
  Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat', configurable: true })
  const long = `$$\n${'x+'.repeat(2_000)}x\n$$`
  using page = show(
    <MarkdownRenderer text={`${long}\n\n$$\\rule{9999em}{9999em}$$\n\n$$a$$`} streaming={false} />,
  )
  await expect.poll(() => page.container.querySelector('.katex')).toBeTruthy()
  expect(page.getByRole('figure', { name: 'Code, tex' })).toBeTruthy()
  expect(page.container.innerHTML).not.toContain('9999em;')
})

test('SX-11 of thousands of short formulas the first are set, and the rest is code', async () => {
  using page = show(<MarkdownRenderer text={`${'$a$ '.repeat(400)}\n\n`.repeat(5)} streaming={false} />)
  await expect.poll(() => page.container.querySelectorAll('.katex').length).toBe(1_000)
  expect(page.container.querySelectorAll('code')).toHaveLength(1_000)
})

test('SX-11 whatever signs meet, drawing fails nowhere and stays shallow', () => {
  const sign = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '~~',
      '`',
      '```\n',
      '[',
      ']',
      '](',
      '![',
      '<',
      '>',
      '> ',
      '- ',
      '1. ',
      '$$',
      '$',
      '\\[',
      '\\]',
    ],
    ...[
      '|',
      '\n|-|-|\n',
      '\n',
      '\n\n',
      ' ',
      '#',
      '&',
      '\\',
      '<!--',
      '-->',
      '[^a]',
      '[a]: b',
      'a',
      '\u0301',
      '  ',
    ],
  )
  const run = fc.tuple(sign, fc.integer({ min: 1, max: 60 })).map(([text, times]) => text.repeat(times))
  fc.assert(
    fc.property(fc.array(run, { maxLength: 12 }), fc.boolean(), (runs, streaming) => {
      const text = runs.join('')
      using page = show(<MarkdownRenderer text={text} streaming={streaming} />)
      expect(levelsOf(page.container)).toBeLessThan(MOST_LEVELS)
      withoutMarks(text)
    }),
    { numRuns: 80 },
  )
})

function levelsOf(root: Element): number {
  let levels = 0
  for (
    let level = [...root.children];
    level.length > 0;
    level = level.flatMap((element) => [...element.children])
  ) {
    levels += 1
  }
  return levels
}
