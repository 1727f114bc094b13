import { expect, test } from 'vitest'
import { LIMITS } from '../limits.ts'
import { pageLength } from './page-length.ts'

const { pageBytes } = LIMITS

test('SX-10 a page has as many messages as were asked for when they are small, and no more than there are', () => {
  expect(pageLength([1, 1, 1], 2)).toBe(2)
  expect(pageLength([1, 1, 1], 3)).toBe(3)
  expect(pageLength([1, 1, 1], 9)).toBe(3)
  expect(pageLength([], 5)).toBe(0)
})

test('SX-10 a page ends before the message that exceeds its bytes, but has one message at least', () => {
  expect(pageLength([pageBytes - 1, 1, 1], 9)).toBe(2)
  expect(pageLength([pageBytes, 1], 9)).toBe(1)
  expect(pageLength([pageBytes + 1, 0], 9)).toBe(1)
  expect(pageLength([pageBytes * 3], 9)).toBe(1)
})
