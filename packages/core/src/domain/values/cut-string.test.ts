import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutString } from './cut-string.ts'

test('SX-10 the pieces of a text are the text, none is too long, and none splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 5 }), (text, characters) => {
      const pieces = cutString(text, characters)
      expect(pieces.join('')).toBe(text)
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(characters)
        expect(piece.isWellFormed()).toBe(true)
      }
    }),
  )
})
