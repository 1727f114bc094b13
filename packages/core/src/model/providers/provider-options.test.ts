import { expect, test } from 'vitest'
import type { Thinking } from '../catalogue/known-model.ts'
import { providerOptions } from './provider-options.ts'

const effort: Thinking = { style: 'effort', levels: ['low', 'high'] }
const unasked: Thinking = { style: 'adaptive', levels: ['none', 'low'], unasked: true }
const asked: Thinking = { style: 'adaptive', levels: ['low'], unasked: false }
const cached = { cacheControl: { type: 'ephemeral' } }
const summarised = { thinking: { type: 'adaptive', display: 'summarized' } }

test('MO-2 without a variant nothing is said about effort', () => {
  expect(providerOptions('openai', effort, undefined)).toEqual({ openai: { store: false } })
  expect(providerOptions('openai-compatible', effort, undefined)).toEqual({})
  expect(providerOptions('anthropic', asked, undefined)).toEqual({ anthropic: cached })
  expect(providerOptions('anthropic', { style: 'budget' }, undefined)).toEqual({ anthropic: cached })
  expect(providerOptions('google', null, undefined)).toEqual({})
})

test('MO-2 an effort goes to OpenAI and to compatible servers under the name that each reads', () => {
  expect(providerOptions('openai', effort, 'high')).toEqual({
    openai: { store: false, reasoningEffort: 'high', reasoningSummary: 'auto' },
  })
  expect(providerOptions('openai', effort, 'none')).toEqual({
    openai: { store: false, reasoningEffort: 'none' },
  })
  expect(providerOptions('openai-compatible', effort, 'low')).toEqual({
    openaiCompatible: { reasoningEffort: 'low' },
  })
})

test('MO-2 Anthropic’s newer models show their thoughts and take an effort, or a switch that disables thinking', () => {
  expect(providerOptions('anthropic', unasked, undefined)).toEqual({
    anthropic: { ...cached, ...summarised },
  })
  expect(providerOptions('anthropic', asked, 'low')).toEqual({
    anthropic: { ...cached, ...summarised, effort: 'low' },
  })
  expect(providerOptions('anthropic', unasked, 'none')).toEqual({
    anthropic: { ...cached, thinking: { type: 'disabled' } },
  })
})

test('MO-2 budgets grow with the variant', () => {
  const budgets = ['low', 'medium', 'high'].map((variant) => {
    const options = providerOptions('anthropic', { style: 'budget' }, variant)
    return JSON.stringify(options['anthropic']?.['thinking'])
  })
  expect(budgets).toEqual(
    [4_096, 12_288, 24_576].map((budgetTokens) => JSON.stringify({ type: 'enabled', budgetTokens })),
  )
})

test('MO-2 Google’s models get a level or a budget, and show their thoughts', () => {
  const level: Thinking = { style: 'level', levels: ['low'] }
  const budget: Thinking = { style: 'thinking-budget', off: true }
  expect(providerOptions('google', level, undefined)).toEqual({
    google: { thinkingConfig: { includeThoughts: true } },
  })
  expect(providerOptions('google', level, 'low')).toEqual({
    google: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } },
  })
  expect(providerOptions('google', budget, 'medium')).toEqual({
    google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 12_288 } },
  })
})
