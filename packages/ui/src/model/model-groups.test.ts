import { modelCost } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleModel } from '../testing/samples.ts'
import { findModel, modelLabel } from './find-model.ts'
import { modelGroups } from './model-groups.ts'

const ref = ({ providerId, modelId }: { providerId: string; modelId: string }) => ({ providerId, modelId })
const acme = { providerId: 'acme', providerLabel: 'Acme Works' }
const home = { providerId: 'home', providerLabel: 'Home' }
const swift = sampleModel('swift-2', { ...acme, label: 'Swift' })
const deep = sampleModel('deep-1', { ...acme, label: 'Deep' })
const swiftAtHome = sampleModel('swift-2', { ...home, label: 'Swift, local' })
const models = [swift, swiftAtHome, deep]
const names = (query: string, recents = [ref(deep)]) =>
  modelGroups(models, recents, query, 'Recent').map((group) => [
    group.label,
    group.models.map((model) => model.label),
  ])

test('UI-13 providers are in the order of their first model, and models in that of the catalogue', () => {
  expect(names('', [])).toEqual([
    ['Acme Works', ['Swift', 'Deep']],
    ['Home', ['Swift, local']],
  ])
})

test('UI-13 the same id of two providers makes two models, of which each is found by its own', () => {
  expect(findModel(models, ref(swiftAtHome))).toBe(swiftAtHome)
  expect(names('', [ref(swiftAtHome)])[0]).toEqual(['Recent', ['Swift, local']])
})

test.each([
  ['its name', 'DEEP', [['Acme Works', ['Deep']]]],
  ['its id', 'deep-1', [['Acme Works', ['Deep']]]],
  ['its provider', 'works', [['Acme Works', ['Swift', 'Deep']]]],
  ['words in any order', 'home swift', [['Home', ['Swift, local']]]],
  ['space around the words', '  deep ', [['Acme Works', ['Deep']]]],
  ['nothing that fits', 'deep home', []],
])('UI-13 a model is searched by %s', (_, query, found) => {
  expect(names(query)).toEqual(found)
})

test('UI-13 signs that mean something in a pattern are letters of a search', () => {
  const odd = sampleModel('a.b(c)*', { label: 'Odd [1] +' })
  for (const query of ['.b(', '[1]', '+', '*']) {
    expect(modelGroups([odd, deep], [], query, 'Recent').flatMap((group) => group.models)).toEqual([odd])
  }
})

test('UI-13 a query of space alone keeps the recents, any word leaves them out', () => {
  expect(names('   ')[0]).toEqual(['Recent', ['Deep']])
  expect(names('swift').map(([label]) => label)).not.toContain('Recent')
})

test('UI-13 recents that the catalogue lacks make no heading', () => {
  expect(names('', [{ providerId: 'acme', modelId: 'retired' }]).map(([label]) => label)).toEqual([
    'Acme Works',
    'Home',
  ])
})

test('UI-13 models that are gone take no place of a recent one', () => {
  const gone = Array.from({ length: 5 }, (_, at) => ({ providerId: 'acme', modelId: `gone-${at}` }))
  expect(names('', [...gone, ref(deep), ref(swift)])[0]).toEqual(['Recent', ['Deep', 'Swift']])
})

test('UI-13 at most three recents are shown, the newest first', () => {
  const many = Array.from({ length: 6 }, (_, at) => sampleModel(`m${at}`))
  const recents = many.toReversed().map(ref)
  const [first] = modelGroups(many, recents, '', 'Recent')
  expect(first?.models.map(({ modelId }) => modelId)).toEqual(['m5', 'm4', 'm3'])
})

test('UI-13 an empty catalogue makes no group', () => {
  expect(modelGroups([], [ref(deep)], '', 'Recent')).toEqual([])
})

test('UI-13 a model has the name that the catalogue gives it, else its id, else none', () => {
  expect(modelLabel(models, { ...ref(deep), variant: 'high' })).toBe('Deep')
  expect(modelLabel([], ref(deep))).toBe('deep-1')
  expect(modelLabel(models, undefined)).toBeUndefined()
})

test('UI-13 a search never finds more with more words', () => {
  const words = fc.array(fc.constantFrom('swift', 'deep', 'home', 'acme', '1', 'x'), { maxLength: 4 })
  const count = (query: string) =>
    modelGroups(models, [], query, 'Recent').reduce((sum, group) => sum + group.models.length, 0)
  fc.assert(
    fc.property(words, fc.constantFrom('e', 'home', 'z'), (some, more) => {
      expect(count([...some, more].join(' '))).toBeLessThanOrEqual(count(some.join(' ')))
    }),
  )
})

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
const PRICES = { input: 2, output: 10, cacheRead: null, cacheWrite: null }

test.each([
  ['nothing is used', {}, 0],
  ['a million tokens are read', { input: 1_000_000 }, 2],
  ['reasoning is billed as output', { reasoning: 500_000 }, 5],
  ['the cache has no price of its own', { cacheRead: 1_000_000, cacheWrite: 500_000 }, 3],
])('UI-10 where %s the cost follows the prices', (_, counts, expected) => {
  expect(modelCost({ ...NO_TOKENS, ...counts }, PRICES)).toBeCloseTo(expected, 12)
})

test('UI-10 a cache that is free costs nothing, which is not an unknown price', () => {
  const used = { ...NO_TOKENS, cacheRead: 4_000_000 }
  expect(modelCost(used, { ...PRICES, cacheRead: 0 })).toBe(0)
  expect(modelCost(used, PRICES)).toBe(8)
})

test.each(['input', 'output'] as const)(
  'UI-10 without a price of %s no cost is known, even of no tokens',
  (side) => {
    expect(modelCost(NO_TOKENS, { ...PRICES, [side]: null })).toBeNull()
  },
)
