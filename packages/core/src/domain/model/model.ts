/** Names a model, and optionally one of its variants such as a reasoning effort. */
export type ModelRef = { providerId: string; modelId: string; variant?: string }

export type ModelVariant = { id: string; label: string }

/** A model's entry in the catalogue. `null` means unknown: it is shown as "unknown" and limits nothing. */
export type ModelInfo = {
  providerId: string
  providerLabel: string
  modelId: string
  label: string
  /** Tokens that a prompt and its reply may take together. */
  contextLimit: number | null
  /** Tokens that one reply may take. */
  maxOutput: number | null
  /** US dollars for a million tokens. */
  prices: { input: number | null; output: number | null; cacheRead: number | null; cacheWrite: number | null }
  /** Media kinds that a message may carry, `text` always among them. */
  inputs: ('text' | 'image' | 'pdf' | 'audio' | 'video')[]
  tools: boolean
  reasoning: boolean
  variants: ModelVariant[]
  /** The provider's cheap sibling, used for titles and summaries. */
  cheap: boolean
  /** A built-in demonstration model: no network, no key, no intelligence. */
  demo: boolean
}

export function sameModel(a: ModelRef, b: ModelRef): boolean {
  return a.providerId === b.providerId && a.modelId === b.modelId && a.variant === b.variant
}
