import type { ModelInfo } from '@palimpsest/core/domain'

/** A model of the provider `lab` of which nothing more is known. */
export function modelInfo(modelId: string): ModelInfo {
  return {
    providerId: 'lab',
    providerLabel: 'Lab',
    modelId,
    label: modelId,
    contextLimit: null,
    maxOutput: null,
    prices: { input: null, output: null, cacheRead: null, cacheWrite: null },
    inputs: ['text'],
    tools: true,
    reasoning: false,
    variants: [],
    cheap: false,
    demo: false,
  }
}
