import { expect, test } from 'vitest'
import { findModel, type Provider, toModelInfo, unknownModel, withSettings } from './provider.ts'

const provider: Provider = {
  label: 'Lab',
  connection: { kind: 'openai-compatible', providerId: 'lab', baseURL: 'http://127.0.0.1:9/v1' },
  models: [withSettings(unknownModel('m1'), { contextLimit: 8192 })],
  unlisted: null,
}

test('MO-4 the only assumption about an unknown model is that it may use tools', () => {
  expect(toModelInfo(provider, unknownModel('x'))).toEqual({
    providerId: 'lab',
    providerLabel: 'Lab',
    modelId: 'x',
    label: 'x',
    contextLimit: null,
    maxOutput: null,
    prices: { input: null, output: null, cacheRead: null, cacheWrite: null },
    inputs: ['text', 'image'],
    tools: true,
    reasoning: false,
    variants: [],
    cheap: false,
    demo: false,
  })
})

test('CF-2 each setting of a model replaces the catalogue’s value, and text always stays an input', () => {
  const configured = withSettings(unknownModel('x'), {
    label: 'X',
    contextLimit: 10,
    maxOutput: 5,
    inputPrice: 1,
    outputPrice: 2,
    cacheReadPrice: 0.1,
    cacheWritePrice: 1.25,
    inputs: ['audio'],
    tools: false,
    variants: ['low', 'high'],
    cheap: true,
  })
  expect(toModelInfo(provider, configured)).toMatchObject({
    label: 'X',
    contextLimit: 10,
    maxOutput: 5,
    prices: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
    inputs: ['text', 'audio'],
    tools: false,
    reasoning: true,
    variants: [
      { id: 'low', label: 'Low' },
      { id: 'high', label: 'High' },
    ],
    cheap: true,
  })
})

test('CF-2 a model is found where it is listed, or anywhere when the provider takes any', () => {
  expect(findModel(provider, 'm1')?.contextLimit).toBe(8192)
  expect(findModel(provider, 'other')).toBeNull()
  expect(findModel({ ...provider, unlisted: { maxOutput: 100 } }, 'other')).toMatchObject({
    modelId: 'other',
    contextLimit: null,
    maxOutput: 100,
  })
})
