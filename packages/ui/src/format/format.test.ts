import { expect, test } from 'vitest'
import { createFormat } from './format.ts'

const format = createFormat('en')

test.each([
  [0, '0'],
  [842, '842'],
  [12_412, '12.4k'],
  [128_000, '128k'],
  [999_700, '1M'],
  [1_048_576, '1M'],
])('UI-14 %i tokens read %s', (count, text) => {
  expect(format.tokens(count)).toBe(text)
})

test.each([
  [0, '1 ms'],
  [12.4, '12 ms'],
  [96, '0.1 s'],
  [240, '0.2 s'],
  [6_200, '6.2 s'],
  [42_400, '42 s'],
  [59_700, '1 min'],
  [125_000, '2 min 5 s'],
])('UI-9 %i ms read %s', (ms, text) => {
  expect(format.duration(ms)).toBe(text)
})

test.each([
  [0, '$0.00'],
  [0.0031, '$0.0031'],
  [0.4183, '$0.418'],
  [12.5, '$12.50'],
])('UI-10 %d dollars read %s', (usd, text) => {
  expect(format.cost(usd)).toBe(text)
})

test('UI-25 numbers follow the locale', () => {
  expect(createFormat('de').tokens(12_412)).toBe('12,4k')
  expect(createFormat('de').count(12_412)).toBe('12.412')
})

test('UI-1 a month of another year says its year', () => {
  const now = Date.UTC(2026, 5, 15)
  expect(format.month(Date.UTC(2026, 2, 15), now)).toBe('March')
  expect(format.month(Date.UTC(2025, 2, 15), now)).toBe('March 2025')
})

test('UI-18 a moment is told as shortly as it is clear', () => {
  const now = new Date(2026, 5, 15, 18, 30).getTime()
  const told = (...at: [number, number, number, number, number]) =>
    format.moment(new Date(...at).getTime(), now).replaceAll('\u202f', ' ')
  expect(told(2026, 5, 15, 9, 5)).toBe('9:05 AM')
  expect(told(2026, 5, 14, 9, 5)).toBe('Jun 14, 9:05 AM')
  expect(told(2025, 5, 15, 9, 5)).toBe('Jun 15, 2025, 9:05 AM')
})
