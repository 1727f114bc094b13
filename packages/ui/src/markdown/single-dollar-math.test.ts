import fc from 'fast-check'
import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { singleDollarMath } from './single-dollar-math.ts'

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMath, { singleDollarTextMath: false })
  .use(singleDollarMath)

function formulasIn(text: string): string[] {
  const formulas: string[] = []
  const visit = (node: Nodes) => {
    if (node.type === 'inlineMath' || node.type === 'math') formulas.push(node.value)
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(markdown.parse(text))
  return formulas
}

test.each([
  ['so $a+b$ is', ['a+b']],
  ['$x$, $y$ and ($z$).', ['x', 'y', 'z']],
  ['the $n$th of $2^{10}$', ['n', '2^{10}']],
  ['$2x + 3y$ and $5$', ['2x + 3y', '5']],
  ['**$a_1$** and *$b_2*c*d$*', ['a_1', 'b_2*c*d']],
  ['公式$x$中', ['x']],
  ['$a\\$b$', ['a\\$b']],
  ['$a\nb$', ['a\nb']],
  ['it costs $5, and $x$ is free', ['x']],
  ['\\$5 and $x$', ['x']],
  ['$$a$$ and $b$', ['a', 'b']],
  ['| a | b |\n|-|-|\n| $x$ | $y$ |', ['x', 'y']],
])('UI-6 formulas are found in %j', (text, formulas) => {
  expect(formulasIn(text)).toEqual(formulas)
})

test.each([
  '$5 to $10',
  'from $5, or 10$ with tax',
  'US$5 and CA$ 6',
  '5$, 10$ and 15$',
  '$ a$ and $a $',
  '$a$5',
  '\\$a$ and $a\\$',
  '`$a$` and ``a $b$``',
  '```\n$a$\n```',
  '$HOME is `a$b`',
  '[$5](https://example.org/a_$b)',
  'set $HOME and $PATH',
  '$a\n\nb$',
  'a $ sign',
])('UI-6 %j holds no formula', (text) => {
  expect(formulasIn(text)).toEqual([])
})

const amount = fc
  .tuple(fc.nat({ max: 99_999 }), fc.constantFrom('', '.50', 'k', 'M', '/month', '-', '.', ',', ')'))
  .map(([number, end]) => `${number}${end}`)
const word = fc.constantFrom(
  'to',
  'from',
  'or',
  'about',
  '(save',
  'and **over**',
  '–',
  '\n',
  'a',
  '5%',
  '*now*',
)
const price = fc.tuple(fc.constantFrom('$', 'US$', 'CA$', '-$', '~$'), amount).map((pair) => pair.join(''))
const tex = fc
  .array(fc.constantFrom('x', 'n_1', '\\frac{a}{b}', '^2', '+', ' ', '(', ')', '\\$', 'k', '='), {
    minLength: 1,
  })
  .map((pieces) => pieces.join('').trim())
  .filter((formula) => /^[a-z]/.test(formula))

test('UI-6 prices are never a formula, however many and with whatever words', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(price, word), { maxLength: 30 }), (words) => {
      expect(formulasIn(words.join(' '))).toEqual([])
    }),
  )
})

test('UI-6 formulas are found among prices and words, each with its own text', () => {
  const formula = tex.map((value) => ({ value, text: `$${value}$` }))
  const plain = fc.oneof(price, fc.constantFrom('to', 'so', 'is')).map((text) => ({ value: null, text }))
  fc.assert(
    fc.property(fc.array(fc.oneof(formula, plain), { maxLength: 20 }), (pieces) => {
      const expected = pieces.flatMap(({ value }) => (value === null ? [] : [value]))
      expect(formulasIn(pieces.map(({ text }) => text).join(' '))).toEqual(expected)
    }),
  )
})
