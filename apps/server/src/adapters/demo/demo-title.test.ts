import fc from 'fast-check'
import { expect, test } from 'vitest'
import { titleFor, wantsTitle } from './demo-title.ts'

test('MO-5 a title is the beginning of the message, without its polite phrases', () => {
  expect(titleFor('Can you tell me how a suspension bridge holds its own weight?')).toBe(
    'How a suspension bridge holds its own weight',
  )
  expect(titleFor('Think it through step by step: why is nothing lost?')).toBe(
    'Think it through step by step',
  )
  expect(titleFor('Draw me a picture of the road to the sea')).toBe('Draw me a picture of the road')
  expect(titleFor('hello')).toBe('Hello')
  expect(titleFor('…?')).toBe('A chat without words')
})

test('MO-5 a title always has words, and at most eight', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (said) => {
      const title = titleFor(said)
      expect(title).toMatch(/[\p{L}\p{N}]/u)
      expect(title.split(' ').length).toBeLessThanOrEqual(8)
      expect(title.isWellFormed()).toBe(true)
    }),
  )
})

test('MO-5 a request for a title is one that brings no tools', () => {
  expect(wantsTitle('Write a short title for this conversation.', 0)).toBe(true)
  expect(wantsTitle('You may change the title of the session.', 2)).toBe(false)
  expect(wantsTitle('You are a helpful assistant.', 0)).toBe(false)
})
