import { expect, test } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import type { KnownModel } from './known-model.ts'
import { variantsOf } from './variants.ts'

const kinds = ['openai', 'anthropic', 'google'] as const

test.for(kinds)('MO-4 the models of %s have ids of their own and a label each', (kind) => {
  const models = CATALOGUE[kind]
  expect(models.length).toBeGreaterThan(5)
  expect(new Set(models.map((model) => model.modelId)).size).toBe(models.length)
  expect(new Set(models.map((model) => model.label)).size).toBe(models.length)
})

test.for(kinds)(
  'MO-4 %s has one cheap sibling, and it costs no more than the model to start with',
  (kind) => {
    const [start] = CATALOGUE[kind]
    const cheap = CATALOGUE[kind].filter((model) => model.cheap)
    expect(cheap).toHaveLength(1)
    expect(cheap[0]?.prices.input ?? 0).toBeLessThanOrEqual(start?.prices.input ?? 0)
  },
)

test.for(kinds)('MO-4 the catalogue values of the models of %s are plausible or null', (kind) => {
  for (const model of CATALOGUE[kind]) {
    const { contextLimit, maxOutput, prices } = model
    if (contextLimit !== null) expect(contextLimit, model.modelId).toBeGreaterThan(maxOutput ?? 0)
    if (prices.input !== null) expect(prices.output, model.modelId).toBeGreaterThan(prices.input)
    if (prices.cacheRead !== null) expect(prices.cacheRead, model.modelId).toBeLessThan(prices.input ?? 0)
    for (const value of [contextLimit, maxOutput, ...Object.values(prices)]) expect(value).not.toBe(0)
  }
})

test('MO-4 the model to start with has known limits and prices', () => {
  const starts = kinds.map((kind): KnownModel | undefined => CATALOGUE[kind][0])
  for (const start of starts) {
    expect(start?.contextLimit).not.toBeNull()
    expect(start?.prices.input).not.toBeNull()
    expect(start?.tools).toBe(true)
  }
})

test('MO-2 variants are ordered from the lowest to the highest reasoning effort and are labelled', () => {
  expect(variantsOf(null)).toEqual([])
  expect(variantsOf({ style: 'budget' }).map(({ id }) => id)).toEqual(['low', 'medium', 'high'])
  expect(variantsOf({ style: 'thinking-budget', off: true })[0]).toEqual({
    id: 'none',
    label: 'No reasoning',
  })
  expect(variantsOf({ style: 'effort', levels: ['low', 'turbo'] })).toEqual([
    { id: 'low', label: 'Low' },
    { id: 'turbo', label: 'turbo' },
  ])
})
