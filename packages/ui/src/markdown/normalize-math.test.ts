import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeMath } from './normalize-math.ts'

test('UI-6 TeX in brackets is set as a formula', () => {
  expect(normalizeMath('so \\(a+b\\) and \\[c\\]')).toBe('so $$a+b$$ and \n$$\nc\n$$\n')
})

test('UI-6 brackets inside code are left as they are', () => {
  const code = 'a `\\(x\\)` b\n\n```\n\\[y\\]\n```'
  expect(normalizeMath(code)).toBe(code)
})

const TEX = '\\(x\\)'

test.each([
  ['a fence of four around one of three', `\`\`\`\`md\n\`\`\`\n${TEX}\n\`\`\`\n\`\`\`\`\n`],
  ['a fence that is still open', `So\n\n\`\`\`js\n${TEX}\n`],
  ['a fence of tildes', `~~~\n${TEX}\n\`\`\`\n${TEX}\n~~~`],
  ['a fence in a list', `- \`\`\`js\n  ${TEX}\n  \`\`\``],
  ['a fence in a quote', `> \`\`\`\n> ${TEX}\n> \`\`\``],
  ['a span with a mark of its own', `a \`\`b \` ${TEX}\`\` c`],
])('UI-6 TeX inside %s is code', (_, text) => {
  expect(normalizeMath(text)).toBe(text)
})

test('UI-6 TeX after code is set', () => {
  expect(normalizeMath(`\`\`\`\n${TEX}\n\`\`\`\n${TEX}`)).toBe(`\`\`\`\n${TEX}\n\`\`\`\n$$x$$`)
  expect(normalizeMath(`a \` b ${TEX}`)).toBe('a ` b $$x$$')
})

test('UI-6 a formula that has a line to itself is set apart, in a list too, and one among words is not', () => {
  expect(normalizeMath('So\n$$a+b$$\nand')).toBe('So\n$$\na+b\n$$\nand')
  expect(normalizeMath('- so\n\n  $$ a $$ ')).toBe('- so\n\n  $$\n  a\n  $$')
  for (const text of [
    'So $$a+b$$ and',
    '$$a$$ and $$b$$',
    '$$\na\n$$',
    '`$$a$$`',
    '```\n$$a$$\n```',
    '$$$$',
  ]) {
    expect(normalizeMath(text)).toBe(text)
  }
  expect(normalizeMath('So\n\\(a\\)\nand')).toBe('So\n$$a$$\nand')
})

test('UI-6 a text without TeX is never touched', () => {
  const piece = fc.constantFrom('words ', '`code`', '\n```\n', '$5', '[a](b)', '\n- ', '(', ')')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(normalizeMath(pieces.join(''))).toBe(pieces.join(''))
    }),
  )
})
