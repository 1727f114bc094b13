import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonNestedBeyond, isNestedBeyond } from './nesting.ts'

test('SX-10 a value and its JSON are nested equally deep', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, levels) => {
      expect(isJsonNestedBeyond(JSON.stringify(value), levels)).toBe(isNestedBeyond(value, levels))
    }),
  )
})

test('SX-10 a text of any depth is looked at without an error', () => {
  expect(isJsonNestedBeyond('['.repeat(1_000_000), 64)).toBe(true)
  expect(isNestedBeyond(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 64)).toBe(true)
})

test('SX-10 brackets inside strings count for nothing, whatever escapes the strings hold', () => {
  const text = fc.string({ unit: fc.constantFrom('\\', '"', '[', '{', 'a') })
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(isJsonNestedBeyond(JSON.stringify(texts), 1)).toBe(false)
      expect(isJsonNestedBeyond(JSON.stringify([...texts, []]), 1)).toBe(true)
    }),
  )
})
