import type { ModelInfo } from '../../domain/model/model.ts'

/** How a request sets a model's reasoning effort; each provider has more than one way. */
export type Thinking =
  /** OpenAI and compatible servers: an effort. */
  | { style: 'effort'; levels: readonly string[] }
  /** Anthropic, newer models: thinks as it sees fit, steered by an effort. `unasked`: also without one; `none` is off. */
  | { style: 'adaptive'; levels: readonly string[]; unasked: boolean }
  /** Anthropic, older models: thinks only when given a budget. */
  | { style: 'budget' }
  /** Google, since Gemini 3: a level. */
  | { style: 'level'; levels: readonly string[] }
  /** Google, Gemini 2.5: a budget. */
  | { style: 'thinking-budget'; off: boolean }

/** A model that the catalogue lists by name. Null is unknown, as in `ModelInfo`. */
export type KnownModel = {
  modelId: string
  label: string
  /** Tokens. */
  contextLimit: number | null
  /** Tokens. */
  maxOutput: number | null
  /** US dollars for a million tokens, for prompts below any long-context surcharge. */
  prices: ModelInfo['prices']
  inputs: ModelInfo['inputs']
  tools: boolean
  thinking: Thinking | null
  cheap: boolean
}

export const UNKNOWN_PRICES: ModelInfo['prices'] = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
}

/** Prices in the order of price lists: input, output, cache read, cache write. */
export function prices(
  input: number,
  output: number,
  cacheRead: number | null,
  cacheWrite: number | null,
): ModelInfo['prices'] {
  return { input, output, cacheRead, cacheWrite }
}
