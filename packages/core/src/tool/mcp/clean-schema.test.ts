import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNestedBeyond } from '../../domain/json/nesting.ts'
import { wrongArgument } from './check-arguments.ts'
import { cleanSchema } from './clean-schema.ts'

test('MC-2 a usual schema reaches the model as it is', () => {
  const schema = {
    type: 'object' as const,
    description: 'What to make',
    properties: {
      title: { type: 'string', description: 'Its title', minLength: 1, maxLength: 80 },
      kind: { type: 'string', enum: ['bug', 'idea'], default: 'bug' },
      count: { type: ['integer', 'null'], minimum: 0, maximum: 9 },
      labels: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      place: {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        ],
      },
    },
    required: ['title'],
  }
  expect(cleanSchema(schema)).toEqual(schema)
})

test('MC-2 what a provider would refuse is left out of a schema', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'strange',
    anyOf: [{ required: ['a'] }],
    properties: {
      'with space': { type: 'string' },
      $odd: { type: 'string' },
      a: { type: 'text', format: 'uri', pattern: '(a+)+$', minLength: -1, description: 3 },
      b: { enum: [] },
      c: { const: 'only' },
      d: 'string',
      e: { type: 'array' },
      f: { properties: 'none', required: 'all' },
    },
    required: ['a', 'a', 'missing', 4],
    additionalProperties: false,
  }
  expect(cleanSchema(schema)).toEqual({
    type: 'object',
    properties: {
      a: {},
      b: {},
      c: { enum: ['only'] },
      d: {},
      e: { type: 'array', items: {} },
      f: { properties: {} },
    },
    required: ['a'],
  })
})

test('MC-2 references inside a schema are resolved, and those that never end are cut', () => {
  const schema = {
    properties: {
      one: { $ref: '#/$defs/name' },
      tree: { $ref: '#/$defs/tree' },
      loop: { $ref: '#/$defs/loop' },
      far: { $ref: 'http://127.0.0.1:9/schema.json' },
    },
    $defs: {
      name: { type: 'string' },
      tree: {
        type: 'object',
        properties: { left: { $ref: '#/$defs/tree' }, right: { $ref: '#/$defs/tree' } },
      },
      loop: { $ref: '#/$defs/loop' },
    },
  }
  const clean = cleanSchema(schema)
  expect(clean).toMatchObject({ properties: { one: { type: 'string' }, loop: {}, far: {} } })
  expect(isNestedBeyond(clean, 30)).toBe(false)
  expect(JSON.stringify(clean).length).toBeLessThan(100_000)
})

test('MC-2 any schema becomes an object of bounded size without references', () => {
  const key = fc.constantFrom(
    'type',
    'properties',
    'items',
    'anyOf',
    'required',
    'enum',
    '$ref',
    '$defs',
    'a',
    '__proto__',
  )
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('object', 'string', '#/$defs/a', 'a', null, 3, true),
      fc.array(tie('schema'), { maxLength: 4 }),
      fc.dictionary(key, tie('schema'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(key, schema, { maxKeys: 6 }), fc.jsonValue(), (given, args) => {
      const clean = cleanSchema(given)
      expect(clean['type']).toBe('object')
      expect(JSON.stringify(clean)).not.toContain('$ref')
      expect(isNestedBeyond(clean, 30)).toBe(false)
      expect(() => wrongArgument(args, clean)).not.toThrow()
      // Cleaning again changes nothing.
      expect(cleanSchema(clean)).toEqual(clean)
    }),
  )
})

test('MC-2 many properties are bounded', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
  )
  const clean = cleanSchema({ type: 'object', properties })
  expect(Object.keys(clean['properties'] ?? {}).length).toBeLessThanOrEqual(1_000)
})

test('MC-2 texts that references repeat are bounded in all', () => {
  const values = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(1_000, 'x'))
  const $defs = { list: { enum: values }, told: { description: 'd'.repeat(1_000), default: 'e'.repeat(900) } }
  for (const name of Object.keys($defs)) {
    const properties = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [`p${at}`, { $ref: `#/$defs/${name}` }]),
    )
    expect(JSON.stringify(cleanSchema({ $defs, properties })).length).toBeLessThan(100_000)
  }
})

test('MC-2 a list of values that is too long is left out whole, so that none of them is refused', () => {
  const values = Array.from({ length: 201 }, (_, at) => at)
  const schema = cleanSchema({ properties: { long: { enum: values }, short: { enum: values.slice(1) } } })
  expect(schema['properties']).toEqual({ long: {}, short: { enum: values.slice(1) } })
  expect(wrongArgument({ long: 200 }, schema)).toBeNull()
})

test('RL-8 values and bounds of a schema that no provider reads are left out', () => {
  const half = '\ud800'
  const odd = { enum: [half, 'ok'], default: half, title: `a${half}`, maxLength: 1e300, maximum: Infinity }
  expect(cleanSchema({ properties: { odd } })['properties']).toEqual({
    odd: { title: 'a\ufffd', enum: ['ok'] },
  })
})

const SCHEMA = cleanSchema({
  properties: {
    path: { type: 'string' },
    count: { type: 'integer' },
    kind: { enum: ['a', 'b'] },
    list: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
    },
    either: { type: ['string', 'null'] },
    any: {},
  },
  required: ['path'],
})

test.each([
  [{ path: 'a', count: 1, kind: 'a', list: [{ id: 1 }], either: null, any: [], more: 1 }, null],
  [{}, 'The arguments must have the property "path".'],
  [{ path: 3 }, '"path" must be of type string.'],
  [{ path: 'a', count: 1.5 }, '"count" must be of type integer.'],
  [{ path: 'a', kind: 'c' }, '"kind" must be one of ["a","b"].'],
  [{ path: 'a', list: [{ id: 1 }, {}] }, '"list"[1] must have the property "id".'],
  [{ path: 'a', either: 4 }, '"either" must be string or null.'],
  ['text', 'The arguments must be of type object.'],
  [null, 'The arguments must be of type object.'],
])('MC-2 arguments %j are checked by what is certain: %s', (args, wrong) => {
  expect(wrongArgument(args, SCHEMA)).toBe(wrong)
})
