import fc from 'fast-check'
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
  [0, '1\u00a0ms'],
  [12.4, '12\u00a0ms'],
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

test('UI-18 a moment is as short as it is unambiguous', () => {
  const now = new Date(2026, 5, 15, 18, 30).getTime()
  const moment = (...at: [number, number, number, number, number]) =>
    format.moment(new Date(...at).getTime(), now).replaceAll('\u202f', ' ')
  expect(moment(2026, 5, 15, 9, 5)).toBe('9:05 AM')
  expect(moment(2026, 5, 14, 9, 5)).toBe('Jun 14, 9:05 AM')
  expect(moment(2025, 5, 15, 9, 5)).toBe('Jun 15, 2025, 9:05 AM')
})

test.each([
  [0.00002, '$0.00002'],
  [0.000312, '$0.00031'],
  [0.0000001, '$0.0000001'],
  [0.9996, '$1.00'],
])('UI-10 %d dollars read %s, never as nothing', (usd, text) => {
  expect(format.cost(usd)).toBe(text)
})

test('UI-10 what costs anything never reads as nothing', () => {
  const usd = fc.double({ min: 1e-9, max: 1e6, noNaN: true })
  fc.assert(fc.property(usd, (cost) => /[1-9]/.test(format.cost(cost))))
})

test('UI-14 more tokens never read as fewer', () => {
  const value = (text: string) =>
    Number.parseFloat(text.replace(/,/g, '')) * (text.endsWith('M') ? 1e6 : text.endsWith('k') ? 1e3 : 1)
  fc.assert(
    fc.property(fc.nat(5_000_000), fc.nat(5_000_000), (a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      expect(value(format.tokens(less))).toBeLessThanOrEqual(value(format.tokens(more)))
    }),
  )
})

test('UI-14 short tokens are within one part in twenty of what they say', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 9_000_000 }), (count) => {
      const text = format.tokens(count)
      const said = Number.parseFloat(text) * (text.endsWith('M') ? 1e6 : 1e3)
      expect(Math.abs(said - count) / count).toBeLessThanOrEqual(0.05)
    }),
  )
})

test('UI-9 a time never reads as 60 seconds, nor without a unit', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 10_000_000, noNaN: true }), (ms) => {
      expect(format.duration(ms)).toMatch(/^[\d.,]+\s(?:ms|s|min)(?: [1-9]\d? s)?$/)
      expect(format.duration(ms)).not.toMatch(/\b60 s/)
    }),
  )
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [12_340_000, '12.3 MB'],
])('UI-12 %i bytes read %s', (count, text) => {
  expect(format.bytes(count)).toBe(text)
})

test('UI-25 every amount is written as its locale writes it', () => {
  const german = createFormat('de')
  expect(german.percent(0.42).replace('\u00a0', ' ')).toBe('42 %')
  expect(german.cost(1_234.5).replace('\u00a0', ' ')).toBe('1.234,50 $')
  expect(german.duration(6_200)).toBe('6,2 s')
  expect(german.bytes(1_500)).toBe('1,5 kB')
})
