import fc from 'fast-check'
import { expect, test } from 'vitest'
import { echo, quote } from './echo.ts'

test('MO-5 a quotation is one short line', () => {
  expect(echo('two\n\nlines')).toBe('two lines')
  expect(echo('word '.repeat(40))).toMatch(/^(word ){18}…$/)
})

test('MO-5 no quotation can open markdown or HTML', () => {
  fc.assert(
    fc.property(fc.string(), (said) => {
      const quoted = echo(said)
      expect(quoted.replace(/\\[\\`*_[\]<>#|$~]/g, '')).not.toMatch(/[`*_[\]<>#|$~]/)
      expect(quoted.length).toBeLessThan(200)
    }),
  )
})

test('MO-5 a quotation that ends its sentence brings one sign for that, not two', () => {
  expect(quote('Why?')).toBe('“Why?”')
  expect(quote('because')).toBe('“because”.')
})
