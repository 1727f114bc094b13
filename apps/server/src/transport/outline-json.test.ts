import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SERVER_LIMITS } from '../limits.ts'
import { outlineJson } from './outline-json.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('AP-4 nesting is counted outside strings only, up to its limit', () => {
  expect(outlineJson(nested(SERVER_LIMITS.nesting)).excess).toBe(null)
  expect(outlineJson(nested(SERVER_LIMITS.nesting + 1)).excess).toBe('nesting')
  expect(outlineJson(JSON.stringify({ data: nested(10_000) })).excess).toBe(null)
  expect(outlineJson(`"\\"${'['.repeat(100)}"`).excess).toBe(null)
})

test('AP-4 values are counted up to their limit', () => {
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))
  expect(outlineJson(list(SERVER_LIMITS.valuesPerRequest)).excess).toBe(null)
  expect(outlineJson(list(SERVER_LIMITS.valuesPerRequest + 1)).excess).toBe('values')
})

test('AP-4 for any JSON, the outline agrees with the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 80 }), (value) => {
      const isDeep = depthOf(value) > SERVER_LIMITS.nesting
      expect(outlineJson(JSON.stringify(value)).excess).toBe(isDeep ? 'nesting' : null)
    }),
  )
})

test('AP-4 strings end where they do in JSON, with any number of escapes', () => {
  const text = fc.string({ unit: fc.constantFrom(...'[{\\"a'), maxLength: 300 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      expect(outlineJson(JSON.stringify(texts))).toMatchObject({ excess: null, calls: 0 })
    }),
  )
})

test('AP-4 endless digits and white space are refused', () => {
  for (const piece of ['1', ' ', 'x']) expect(outlineJson(piece.repeat(2_000_000)).excess).toBe('values')
})

test('AP-4 any text has an outline', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'[]{}",:\\ae1 ') }), (text) => void outlineJson(text)),
  )
})

test('AP-4 the calls of a socket message are found by id and procedure, whatever their input', () => {
  const call = (id: number | string, path: string) => ({
    id,
    method: 'mutation',
    params: { path, input: { id: 'inner', path: 'session.send', params: { path: 'session.send' } } },
  })
  const seen = { excess: null, calls: 1, ids: [7], paths: ['session.create'], isWhole: true }
  expect(outlineJson(JSON.stringify(call(7, 'session.create')))).toEqual(seen)
  expect(outlineJson(JSON.stringify(call(7, 'session.create'), null, 2))).toEqual(seen)
  expect(outlineJson(JSON.stringify([call(1, 'a.b'), call('two', 'c.d')]))).toEqual({
    excess: null,
    calls: 2,
    ids: [1, 'two'],
    paths: ['a.b', 'c.d'],
    isWhole: true,
  })
})
