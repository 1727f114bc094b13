import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastSentenceEnd, plainText } from './sentences.ts'

test('UI-23 a reply is announced in whole sentences', () => {
  expect(lastSentenceEnd('One. Two is not do')).toBe('One. '.length)
  expect(lastSentenceEnd('No end yet')).toBe(0)
  expect(lastSentenceEnd('A line\nand mo')).toBe('A line\n'.length)
})

test('UI-23 announcements contain no marks and no code', () => {
  expect(plainText('## A **bold** [link](https://x.org)\n\n```js\nlet a\n```\n- item')).toBe(
    'A bold link item',
  )
})

test('UI-23 sentences end where the language ends them, with or without a space', () => {
  expect(lastSentenceEnd('你好。世界')).toBe('你好。'.length)
  expect(lastSentenceEnd('「はい。」それ')).toBe('「はい。」'.length)
  expect(lastSentenceEnd('Version 3.5 is')).toBe(0)
  expect(lastSentenceEnd('He said “no.” Then')).toBe('He said “no.” '.length)
})

test('UI-23 what has ended stays ended while a text grows, but for code that opens', () => {
  const piece = fc.constantFrom('Words', ' and ', 'more. ', 'So! ', '\n', '。', '…', '1.5')
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), (before, after) => {
      const end = lastSentenceEnd(before.join(''))
      expect(lastSentenceEnd([...before, ...after].join(''))).toBeGreaterThanOrEqual(end)
      expect(end).toBeLessThanOrEqual(before.join('').length)
    }),
  )
})

test('UI-23 names with underscores are read as they are', () => {
  expect(plainText('call read_file with _care_ and __all__')).toBe('call read_file with care and all')
})

test('UI-23 a picture is read by its name, a quote and a list by their words', () => {
  expect(plainText('![A leaf](https://x.org/a.png)\n> quoted\n* one\n+ two\n### Three')).toBe(
    'A leaf quoted one two Three',
  )
})
