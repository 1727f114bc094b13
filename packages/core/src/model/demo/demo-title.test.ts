import fc from 'fast-check'
import { expect, test } from 'vitest'
import { titleFor, wantsTitle } from './demo-title.ts'

test('MO-5 a title keeps the telling words', () => {
  expect(titleFor('Can you tell me how a suspension bridge holds its own weight?')).toBe(
    'How suspension bridge holds own weight',
  )
  expect(titleFor('hello')).toBe('A chat about hello')
  expect(titleFor('')).toBe('A chat without words')
})

test('MO-5 a title always has three to six words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (said) => {
      const words = titleFor(said).split(' ').length
      expect(words).toBeGreaterThanOrEqual(3)
      expect(words).toBeLessThanOrEqual(6)
    }),
  )
})

test('MO-5 a request for a title is one that brings no tools', () => {
  expect(wantsTitle('Write a short title for this conversation.', 0)).toBe(true)
  expect(wantsTitle('You may change the title of the session.', 2)).toBe(false)
  expect(wantsTitle('You are a helpful assistant.', 0)).toBe(false)
})
