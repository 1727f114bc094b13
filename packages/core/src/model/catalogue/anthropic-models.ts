import { type KnownModel, prices, type Thinking } from './known-model.ts'

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max']

/** Thinks, come what may. */
const ALWAYS: Thinking = { style: 'adaptive', levels: EFFORTS, unasked: true }
/** Thinks unless the request disables it. */
const BY_DEFAULT: Thinking = { style: 'adaptive', levels: ['none', ...EFFORTS], unasked: true }
/** Thinks when an effort is chosen. */
const ON_REQUEST: Thinking = { style: 'adaptive', levels: EFFORTS, unasked: false }
const ON_REQUEST_46: Thinking = { style: 'adaptive', levels: ['low', 'medium', 'high'], unasked: false }
const BUDGET: Thinking = { style: 'budget' }

type Row = [id: string, label: string, context: number, output: number, KnownModel['prices'], Thinking]

/**
 * Ids, output limits and ways of thinking as in the installed `@ai-sdk/anthropic`; windows and prices (five-minute
 * cache writes) as Anthropic's pricing page states them in November 2026.
 */
const ROWS: Row[] = [
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, 128_000, prices(2, 10, 0.1, 2.5), ALWAYS],
  ['claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000, prices(4, 20, 0.2, 5), ALWAYS],
  ['claude-haiku-5-5', 'Claude Haiku 5.5', 1_000_000, 128_000, prices(0.1, 0.5, 0.01, 0.125), BY_DEFAULT],
  ['claude-fable-5-1', 'Claude Fable 5.1', 1_000_000, 128_000, prices(10, 50, 0.25, 12.5), ALWAYS],
  ['claude-opus-5', 'Claude Opus 5', 1_000_000, 128_000, prices(5, 25, 0.5, 6.25), BY_DEFAULT],
  ['claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, 128_000, prices(2, 10, 0.2, 2.5), BY_DEFAULT],
  ['claude-opus-4-8', 'Claude Opus 4.8', 1_000_000, 128_000, prices(5, 25, 0.5, 6.25), ON_REQUEST],
  ['claude-opus-4-7', 'Claude Opus 4.7', 1_000_000, 128_000, prices(5, 25, 0.5, 6.25), ON_REQUEST],
  ['claude-opus-4-6', 'Claude Opus 4.6', 1_000_000, 128_000, prices(5, 25, 0.5, 6.25), ON_REQUEST_46],
  ['claude-sonnet-4-6', 'Claude Sonnet 4.6', 1_000_000, 128_000, prices(3, 15, 0.3, 3.75), ON_REQUEST_46],
  ['claude-opus-4-5', 'Claude Opus 4.5', 200_000, 64_000, prices(5, 25, 0.5, 6.25), BUDGET],
  ['claude-sonnet-4-5', 'Claude Sonnet 4.5', 200_000, 64_000, prices(3, 15, 0.3, 3.75), BUDGET],
  ['claude-haiku-4-5', 'Claude Haiku 4.5', 200_000, 64_000, prices(1, 5, 0.1, 1.25), BUDGET],
]

export const ANTHROPIC_MODELS: readonly KnownModel[] = ROWS.map(
  ([modelId, label, contextLimit, maxOutput, price, thinking]) => ({
    modelId,
    label,
    contextLimit,
    maxOutput,
    prices: price,
    inputs: ['text', 'image', 'pdf'],
    tools: true,
    thinking,
    cheap: modelId === 'claude-haiku-5-5',
  }),
)
