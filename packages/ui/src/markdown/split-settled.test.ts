import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitSettled } from './split-settled.ts'

const paragraph = fc.constantFrom(
  'Plain words that go on for a while, enough to fill a line of the page and more. '.repeat(8),
  '## A heading',
  '```js\nconst a = 1\n\nconst b = 2\n```',
  '````md\n```\n\nA fence in a fence\n````',
  '- one\n\n- two\n\n  more of two',
  '$$\nx = 1\n\ny = 2\n$$',
  '| a | b |\n|---|---|\n| 1 | 2 |',
)
const markdown = fc.array(paragraph, { minLength: 1, maxLength: 60 }).map((parts) => parts.join('\n\n'))

test('UI-6 the chunks of a text always make up the text', () => {
  fc.assert(fc.property(markdown, (text) => splitSettled(text).join('') === text))
})

test('UI-6 a chunk that has settled never changes while the text grows', () => {
  fc.assert(
    fc.property(markdown, fc.nat(), (text, cut) => {
      const before = splitSettled(text.slice(0, cut % (text.length + 1))).slice(0, -1)
      expect(splitSettled(text).slice(0, before.length)).toEqual(before)
    }),
  )
})

test('UI-6 no cut falls inside a fence, a formula or a list', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      for (const chunk of splitSettled(text)) {
        expect(chunk).not.toMatch(/^(?:const|more|A fence|x =|y =|- two|\$\$\n\n)/)
        expect((chunk.match(/^```js/gm) ?? []).length).toBe((chunk.match(/^const b/gm) ?? []).length)
      }
    }),
  )
})

test('UI-8 a text of 60 kB settles all but its end', () => {
  const text = 'Words, words, and more of them.\n\n'.repeat(1_900)
  const chunks = splitSettled(text)
  expect(chunks.length).toBeGreaterThan(10)
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(5_000)
})

test('UI-6 a text with definitions that reach over all of it stays in one piece', () => {
  const text = `${'See [the note][a].\n\n'.repeat(400)}[a]: https://example.org`
  expect(splitSettled(text)).toHaveLength(1)
})
