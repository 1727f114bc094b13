import fc from 'fast-check'
import type { Paragraph, PhrasingContent, Root, RootContent } from 'mdast'
import { expect, test } from 'vitest'
import { htmlAsText } from './html-as-text.ts'
import { loadLanguage } from './languages.ts'
import { longMathAsCode } from './long-math-as-code.ts'
import { isDrawable } from './tree-size.ts'

const block = (value: string): RootContent => ({ type: 'math', value })
const inline = (value: string): PhrasingContent => ({ type: 'inlineMath', value })
const root = (...children: RootContent[]): Root => ({ type: 'root', children })
const paragraph = (...children: PhrasingContent[]): Paragraph => ({ type: 'paragraph', children })
const kinds = (tree: Root) => {
  longMathAsCode()(tree)
  return tree.children.flatMap((node) =>
    node.type === 'paragraph' ? node.children.map(({ type }) => type) : [node.type],
  )
}

test('SX-11 a formula of 3,000 characters is set, one character more is code', () => {
  expect(kinds(root(block('x'.repeat(3_000))))).toEqual(['math'])
  expect(kinds(root(block('x'.repeat(3_001))))).toEqual(['code'])
  expect(kinds(root(paragraph(inline('x'.repeat(3_001)))))).toEqual(['inlineCode'])
})

test('SX-11 a formula that becomes code keeps its words, and its language where it has lines', () => {
  const tree = root(block('y'.repeat(3_001)))
  longMathAsCode()(tree)
  expect(tree.children).toEqual([{ type: 'code', lang: 'tex', value: 'y'.repeat(3_001) }])
})

test('SX-11 formulas of 20,000 characters in one piece are set, and those behind them are code', () => {
  const seven = Array.from({ length: 7 }, () => block('x'.repeat(2_900)))
  expect(kinds(root(...seven))).toEqual([...Array.from({ length: 6 }, () => 'math'), 'code'])
})

test('SX-11 a short formula counts as one of 20 characters', () => {
  const many = Array.from({ length: 1_001 }, () => inline('x'))
  const all = kinds(root(paragraph(...many)))
  expect(all.filter((kind) => kind === 'inlineMath')).toHaveLength(1_000)
  expect(all.at(-1)).toBe('inlineCode')
})

test('SX-11 formulas in lists and quotes count with the others', () => {
  const deep: RootContent = { type: 'blockquote', children: [{ type: 'math', value: 'x'.repeat(2_900) }] }
  const tree = root(...Array.from({ length: 7 }, () => structuredClone(deep)))
  longMathAsCode()(tree)
  const inside = tree.children.map((node) => node.type === 'blockquote' && node.children[0]?.type)
  expect(inside).toEqual([...Array.from({ length: 6 }, () => 'math'), 'code'])
})

test('SX-11 however many formulas a text has, at most 20,000 characters of them are set', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 40 }), (lengths) => {
      const tree = root(...lengths.map((length) => block('x'.repeat(length))))
      longMathAsCode()(tree)
      const set = tree.children.filter(({ type }) => type === 'math')
      const characters = set.map((node) => ('value' in node ? node.value.length : 0))
      expect(characters.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(20_000)
      expect(Math.max(0, ...characters)).toBeLessThanOrEqual(3_000)
      expect(tree.children).toHaveLength(lengths.length)
    }),
  )
})

const htmlOf = (...values: string[]) => {
  const tree = root(paragraph(...values.map((value): PhrasingContent => ({ type: 'html', value }))))
  htmlAsText()(tree)
  const [first] = tree.children
  return first?.type === 'paragraph' ? first.children : []
}

test.each(['<br>', '<br/>', '<br />', '<BR>', '<br\t/>'])('UI-6 %j is a line break', (value) => {
  expect(htmlOf(value)).toEqual([{ type: 'break' }])
})

test.each([
  '<br onclick=x>',
  '<br><script>',
  '</br>',
  '<br',
  '<script>alert(1)</script>',
  '<!-- a comment -->',
  '<img src=x onerror=alert(1)>',
])('SX-3 %j is text', (value) => {
  expect(htmlOf(value)).toEqual([{ type: 'text', value }])
})

test('SX-3 HTML at any depth is text, and nothing else is touched', () => {
  const tree = root(
    { type: 'html', value: '<div>' },
    {
      type: 'blockquote',
      children: [paragraph({ type: 'emphasis', children: [{ type: 'html', value: '<b>' }] })],
    },
    { type: 'code', value: '<i>' },
  )
  htmlAsText()(tree)
  expect(JSON.stringify(tree)).not.toContain('"html"')
  expect(tree.children[2]).toEqual({ type: 'code', value: '<i>' })
})

const nested = (levels: number) => {
  let tree: { type: string; children?: (typeof tree)[] } = { type: 'leaf' }
  for (let level = 0; level < levels; level++) tree = { type: 'node', children: [tree] }
  return tree
}

test('SX-11 a tree of 200 levels is drawn, one of more is not, however deep', () => {
  expect(isDrawable(nested(200))).toBe(true)
  expect(isDrawable(nested(201))).toBe(false)
  expect(isDrawable(nested(200_000))).toBe(false)
})

test('SX-11 a tree of 60,000 nodes is drawn, one of more is not', () => {
  const wide = (count: number) => ({
    type: 'root',
    children: Array.from({ length: count }, () => ({ type: 'leaf' })),
  })
  expect(isDrawable(wide(59_999))).toBe(true)
  expect(isDrawable(wide(60_000))).toBe(false)
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '', ' ', 'brainf', 'ts '])(
  'UI-6 %j is no language',
  (name) => {
    expect(loadLanguage(name)).toBeNull()
  },
)

test.each([
  ['ts', 'typescript'],
  ['TS', 'typescript'],
  ['C++', 'cpp'],
  ['yml', 'yaml'],
  ['Dockerfile', 'docker'],
  ['sh', 'bash'],
])('UI-6 the language %s is that of %s', async (name, whole) => {
  const [short, long] = await Promise.all([loadLanguage(name), loadLanguage(whole)])
  expect(short?.default).toBe(long?.default)
  expect(short?.default.length).toBeGreaterThan(0)
})
