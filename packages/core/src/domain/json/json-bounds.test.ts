import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonExcess } from './json-bounds.ts'
import { isNestedBeyond } from './nesting.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '[[[{', ',,,', '\\\\"'))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    text,
    fc.constantFrom(null, true, 1e300, -0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value

test('SX-12 the nesting of a JSON text is that of its value, whatever its strings hold', () => {
  fc.assert(
    fc.property(json, fc.nat({ max: 6 }), fc.constantFrom(0, 2), (value, nesting, indent) => {
      const excess = jsonExcess(JSON.stringify(value, null, indent), { nesting, values: 10_000 })
      expect(excess).toBe(isNestedBeyond(value, nesting) ? 'nesting' : null)
    }),
  )
})

test('SX-12 values of a JSON text are counted, and not those inside strings', () => {
  const bounds = { nesting: 4, values: 10 }
  expect(jsonExcess(JSON.stringify(Array.from({ length: 10 }, (_, at) => at)), bounds)).toBeNull()
  expect(jsonExcess(JSON.stringify(Array.from({ length: 12 }, (_, at) => at)), bounds)).toBe('values')
  expect(jsonExcess(JSON.stringify({ a: ',[{'.repeat(1_000) }), bounds)).toBeNull()
  expect(jsonExcess(' '.repeat(10_000), bounds)).toBe('values')
})
