import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoundedOutput } from './bounded-output.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length

function gather(pieces: readonly string[], limits: { head: number; tail: number }) {
  const output = createBoundedOutput(limits)
  for (const piece of pieces) output.add(piece)
  return output
}

test('TO-3 an output within its bound is held whole, and nothing is one too', () => {
  expect({ ...gather([], { head: 4, tail: 4 }) }).toEqual({
    add: expect.any(Function),
    head: '',
    tail: '',
    length: 0,
    truncated: false,
  })
  const { head, tail, length, truncated } = gather(['ab', '', 'cd'], { head: 4, tail: 4 })
  expect({ head, tail, length, truncated }).toEqual({
    head: 'abcd',
    tail: 'abcd',
    length: 4,
    truncated: false,
  })
})

test('TO-3 once the head is cut nothing that would still fit is added to it', () => {
  const output = gather(['abc', 'üü', 'd'], { head: 4, tail: 2 })
  expect(output.head).toBe('abc')
  expect(output.tail).toBe('üd')
  expect(output.truncated).toBe(true)
})

test('TO-3 of any output the head is a beginning and the tail an end, both within their bounds', () => {
  const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 12 })
  const limits = fc.record({ head: fc.nat(30), tail: fc.integer({ min: 1, max: 30 }) })
  fc.assert(
    fc.property(pieces, limits, (given, bounds) => {
      const whole = given.join('')
      const { head, tail, length, truncated } = gather(given, bounds)
      expect(length).toBe(whole.length)
      expect(bytes(head)).toBeLessThanOrEqual(bounds.head)
      expect(tail.length).toBeLessThanOrEqual(bounds.tail)
      expect(whole.endsWith(tail)).toBe(true)
      expect(whole.startsWith(head)).toBe(true)
      expect(truncated).toBe(head.length < whole.length)
      expect(/^[\uDC00-\uDFFF]/.test(tail) && whole.length > tail.length).toBe(false)
    }),
    { numRuns: 100 },
  )
})
