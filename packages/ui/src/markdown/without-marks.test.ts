import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutMarks } from './without-marks.ts'

test.each([
  ['emphasis', 'A **bold**, an _even_ and a ~~gone~~ word', 'A bold, an even and a gone word'],
  ['headings and quotes', '## Ink\n\n> Oak galls', 'Ink\n\nOak galls'],
  ['lists', '- one\n* two\n- [x] done', 'one\ntwo\ndone'],
  ['links', 'See [the page](https://a.example) and ![a leaf](b.png)', 'See the page and a leaf'],
  ['tables', '| a | b |\n|---|---|\n| 1 | 2 |', 'a  b \n 1  2'],
  ['names', 'keep snake_case and 2 * 3 apart', 'keep snake_case and 2 * 3 apart'],
])('UI-6 words without a renderer show no signs of %s', (_, markdown, words) => {
  expect(withoutMarks(markdown)).toBe(words)
})

test('UI-6 code without a renderer keeps its signs and loses its fence, closed or not', () => {
  expect(withoutMarks('Run:\n```sh\nls *.md | wc\n```\nDone.')).toBe('Run:\n\nls *.md | wc\n\nDone.')
  expect(withoutMarks('```\n# not a heading')).toBe('# not a heading')
})

test('UI-6 words without a renderer always keep every letter and every digit, in order', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  const wrap = fc.constantFrom('**', '_', '`', '~~', '')
  fc.assert(
    fc.property(fc.array(fc.tuple(word, wrap), { maxLength: 12 }), (pieces) => {
      const markdown = pieces.map(([text, sign]) => `${sign}${text}${sign}`).join(' ')
      expect(withoutMarks(markdown).split(/\s+/).filter(Boolean)).toEqual(pieces.map(([text]) => text))
    }),
  )
})
