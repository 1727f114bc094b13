import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addOutput, NO_OUTPUT, SHOWN_CHARACTERS } from './process-output.ts'

/** Reads an output in pieces that end at these places, as a page does. */
function readInPieces(whole: string, ends: readonly number[]) {
  return ends.reduce(
    (tail, length) => addOutput(tail, { text: whole.slice(tail.length, length), from: tail.length, length }),
    NO_OUTPUT,
  )
}

test('UI-9 an output that is read in any pieces reads as the end of the whole', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: 'binary' }), fc.array(fc.nat(400)), (whole, places) => {
      const ends = [...places.map((place) => Math.min(place, whole.length)), whole.length].toSorted(
        (a, b) => a - b,
      )
      expect(readInPieces(whole, ends)).toEqual({
        text: whole.replace(/^[\udc00-\udfff]/, ''),
        length: whole.length,
      })
    }),
  )
})

test('UI-9 at most the last 20,000 characters of an output are shown', () => {
  const whole = 'a'.repeat(SHOWN_CHARACTERS) + 'b'.repeat(SHOWN_CHARACTERS)
  const tail = readInPieces(whole, [10, SHOWN_CHARACTERS, whole.length])
  expect(tail).toEqual({ text: 'b'.repeat(SHOWN_CHARACTERS), length: whole.length })
})

test('UI-9 what the server no longer holds is not joined to what is shown', () => {
  const tail = addOutput({ text: 'early', length: 5 }, { text: 'late', from: 100, length: 104 })
  expect(tail).toEqual({ text: 'late', length: 104 })
})

test('UI-9 a sign of two halves is not cut in half', () => {
  const tail = addOutput(NO_OUTPUT, {
    text: `😀${'a'.repeat(SHOWN_CHARACTERS - 1)}`,
    from: 0,
    length: SHOWN_CHARACTERS + 1,
  })
  expect(tail.text).toBe('a'.repeat(SHOWN_CHARACTERS - 1))
})
