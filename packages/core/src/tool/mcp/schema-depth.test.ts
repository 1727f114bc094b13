import { expect, test } from 'vitest'
import { cleanSchema } from './clean-schema.ts'

type Schema = Record<string, unknown>

/** A schema inside as many others, each entered by `key`. */
function nested(levels: number, enter: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: 'string', description: 'deepest' }
  for (let level = 0; level < levels; level++) schema = enter(schema)
  return schema
}

const ways: { name: string; enter: (inner: Schema) => Schema }[] = [
  { name: 'properties', enter: (inner) => ({ type: 'object', properties: { a: inner } }) },
  { name: 'items', enter: (inner) => ({ type: 'array', items: inner }) },
  { name: 'anyOf', enter: (inner) => ({ anyOf: [inner] }) },
  { name: 'oneOf', enter: (inner) => ({ oneOf: [inner] }) },
  { name: 'allOf', enter: (inner) => ({ allOf: [inner] }) },
]

test.for(ways)(
  'MC-2 a schema is read to a depth of 12 by $name, and what is deeper allows everything',
  ({ enter }) => {
    const holds = (levels: number) =>
      JSON.stringify(cleanSchema({ properties: { top: nested(levels, enter) } })).includes('deepest')
    expect(holds(11)).toBe(true)
    expect(holds(12)).toBe(false)
  },
)

test('MC-2 a schema is read to a depth of 12 in all, whatever its levels are entered by', () => {
  const mixed = (levels: number) =>
    nested(levels, (inner) => ways.at(levels % ways.length)?.enter(inner) ?? inner)
  for (const levels of [11, 12, 13]) {
    const clean = JSON.stringify(cleanSchema({ properties: { top: mixed(levels) } }))
    expect(clean.includes('deepest')).toBe(levels <= 11)
  }
})

test('MC-2 1,000 schemas are read, also when all are on one level', () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]))
  const kept = (count: number) =>
    Object.keys(Object(cleanSchema({ properties: names(count) })['properties'])).length
  expect([kept(999), kept(1_000), kept(1_001)]).toEqual([999, 1_000, 1_000])
})

test('MC-2 a list of 200 values is kept whole, and a longer one is left out; texts have 1,000 characters', () => {
  const enumOf = (count: number) => {
    const values = Array.from({ length: count }, (_, at) => at)
    return cleanSchema({ properties: { a: { enum: values } } })['properties']
  }
  expect(Object(enumOf(200)).a.enum).toHaveLength(200)
  expect(enumOf(201)).toEqual({ a: {} })
  const usual = (length: number) =>
    cleanSchema({ properties: { a: { default: 'x'.repeat(length) } } })['properties']
  expect(Object(usual(1_000)).a.default).toHaveLength(1_000)
  expect(usual(1_001)).toEqual({ a: {} })
})
