import { expect, test } from 'vitest'
import { lastSentenceEnd, plainText } from './sentences.ts'

test('UI-23 a reply is told by whole sentences', () => {
  expect(lastSentenceEnd('One. Two is not do')).toBe('One. '.length)
  expect(lastSentenceEnd('No end yet')).toBe(0)
  expect(lastSentenceEnd('A line\nand mo')).toBe('A line\n'.length)
})

test('UI-23 the ear gets no marks and no code', () => {
  expect(plainText('## A **bold** [link](https://x.org)\n\n```js\nlet a\n```\n- item')).toBe(
    'A bold link item',
  )
})
