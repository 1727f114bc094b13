import { type KnownModel, prices, type Thinking, UNKNOWN_PRICES } from './known-model.ts'

const LEVELS: Thinking = { style: 'level', levels: ['low', 'medium', 'high'] }
const FROM_MINIMAL: Thinking = { style: 'level', levels: ['minimal', 'low', 'medium', 'high'] }

type Row = [id: string, label: string, KnownModel['prices'], Thinking]

/** Every model listed here has the same window and output limit. */
const CONTEXT_LIMIT = 1_048_576
const MAX_OUTPUT = 65_536

/**
 * Ids and thinking levels as in the installed `@ai-sdk/google`; limits and prices as Google's pricing page states them
 * in November 2026 (Argon's and the Flash models' are introductory).
 */
const ROWS: Row[] = [
  ['gemini-3.8-flash', 'Gemini 3.8 Flash', prices(0.75, 3.75, 0.075, null), LEVELS],
  ['gemini-4-argon', 'Gemini 4 Argon', prices(2, 10, 0.1, null), LEVELS],
  ['gemini-3.7-flash', 'Gemini 3.7 Flash', prices(0.75, 3.75, null, null), LEVELS],
  ['gemini-3.5-flash', 'Gemini 3.5 Flash', UNKNOWN_PRICES, FROM_MINIMAL],
  ['gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', UNKNOWN_PRICES, FROM_MINIMAL],
  ['gemini-3.1-pro-preview', 'Gemini 3.1 Pro', prices(2, 12, 0.2, null), LEVELS],
  ['gemini-3.1-flash-lite-preview', 'Gemini 3.1 Flash-Lite', prices(0.25, 1.5, 0.025, null), FROM_MINIMAL],
  ['gemini-3-flash-preview', 'Gemini 3 Flash', prices(0.5, 3, 0.05, null), FROM_MINIMAL],
  [
    'gemini-2.5-pro',
    'Gemini 2.5 Pro',
    prices(1.25, 10, 0.125, null),
    { style: 'thinking-budget', off: false },
  ],
  [
    'gemini-2.5-flash',
    'Gemini 2.5 Flash',
    prices(0.3, 2.5, 0.03, null),
    { style: 'thinking-budget', off: true },
  ],
]

export const GOOGLE_MODELS: readonly KnownModel[] = ROWS.map(([modelId, label, price, thinking]) => ({
  modelId,
  label,
  contextLimit: CONTEXT_LIMIT,
  maxOutput: MAX_OUTPUT,
  prices: price,
  inputs: ['text', 'image', 'pdf', 'audio', 'video'],
  tools: true,
  thinking,
  cheap: modelId === 'gemini-3.5-flash-lite',
}))
