import type { JsonObject } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerFault } from './header-fault.ts'

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const named = (header: unknown, type: unknown = 'string') =>
  ({ type, 'x-mcp-header': header }) as unknown as JsonObject

test.each([
  ['an empty header', of({ a: named('') }), 'empty header'],
  ['a header that is no text', of({ a: named(5) }), 'empty header'],
  ['a header with a space', of({ a: named('My Region') }), 'no header'],
  ['a header with a colon', of({ a: named('Region:Primary') }), 'no header'],
  ['a header with a line break', of({ a: named('a\r\nb') }), 'no header'],
  ['a header outside of ASCII', of({ a: named('Régio') }), 'no header'],
  ['an object', of({ a: named('A', 'object') }), 'no string, integer or boolean'],
  ['a number', of({ a: named('A', 'number') }), 'no string, integer or boolean'],
  ['several types', of({ a: named('A', ['string', 'null']) }), 'no string, integer or boolean'],
  ['one header twice', of({ a: named('Region'), b: named('region') }), 'Two properties'],
  ['one header on two levels', of({ a: named('R'), b: of({ c: named('r') }) }), 'Two properties'],
  ['a header of a list', of({ a: { type: 'array', items: named('A') } }), 'outside of its properties'],
  ['a header of a choice', of({ a: { anyOf: [named('A')] } }), 'outside of its properties'],
  ['a header of a definition', of({}, { $defs: { a: named('A') } }), 'outside of its properties'],
  ['a header of the whole', of({}, { 'x-mcp-header': 'A' }), 'outside of its properties'],
])('MC-2 a tool with %s has a fault', (_what, schema, reason) => {
  expect(headerFault(schema)).toContain(reason)
})

test.each([
  ['no header', of({ a: { type: 'string' } })],
  ['headers of all three types', of({ a: named('A'), b: named('B', 'integer'), c: named('C', 'boolean') })],
  ['a header of an inner property', of({ a: of({ b: named('B') }) })],
  ['a property with the keyword as its name', of({ 'x-mcp-header': { type: 'number' } })],
  ['the keyword in a value', of({ a: { type: 'object', default: { 'x-mcp-header': 5 } } })],
])('MC-2 a tool with %s has no fault', (_what, schema) => {
  expect(headerFault(schema)).toBeNull()
})

test('MC-2 any schema has a fault or none, and a fault is a sentence of bounded length', () => {
  fc.assert(
    fc.property(
      fc.object({ key: fc.constantFrom('properties', 'x-mcp-header', 'type', 'items', 'a') }),
      (any) => {
        const fault = headerFault(JSON.parse(JSON.stringify(any)))
        expect(fault === null || (fault.endsWith('.') && fault.length < 300)).toBe(true)
      },
    ),
    { seed: 5 },
  )
})
