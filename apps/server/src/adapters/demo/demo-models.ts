import type { ModelInfo } from '@palimpsest/core/domain'

export const DEMO_PROVIDER_ID = 'demo'

/** A new demo model is a new line here: its id, its label, and its limits in tokens. */
const TABLE = [
  ['palimpsest-demo', 'Demo model', 64_000, 16_000],
  ['palimpsest-demo-small', 'Demo model, small window', 4_096, 1_024],
] as const

export type DemoModelInfo = ModelInfo & { contextLimit: number; maxOutput: number }

/** The built-in demo models as the catalogue lists them; the first is the one to start with. */
export const DEMO_MODELS: readonly [DemoModelInfo, ...DemoModelInfo[]] = [
  toInfo(TABLE[0]),
  ...TABLE.slice(1).map(toInfo),
]

function toInfo([modelId, label, contextLimit, maxOutput]: (typeof TABLE)[number]): DemoModelInfo {
  return {
    providerId: DEMO_PROVIDER_ID,
    providerLabel: 'Demo',
    modelId,
    label,
    contextLimit,
    maxOutput,
    prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    inputs: ['text', 'image', 'pdf'],
    tools: true,
    reasoning: true,
    variants: [],
    cheap: modelId === TABLE[0][0],
    demo: true,
  }
}
