import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ProviderKind } from '../../domain/model/provider.ts'
import type { Thinking } from '../catalogue/known-model.ts'
import { THINKING_BUDGETS } from '../catalogue/variants.ts'

type Options = SharedV4ProviderOptions[string]

/** What a call carries for its provider: what we always want, and what the chosen variant means there. */
export function providerOptions(
  kind: ProviderKind,
  thinking: Thinking | null,
  variant: string | undefined,
): SharedV4ProviderOptions {
  switch (kind) {
    case 'openai':
      // Nothing is kept at OpenAI: stored answers expire there, while a session may be continued years later.
      return {
        openai: {
          store: false,
          ...effort(variant),
          ...(variant && variant !== 'none' && { reasoningSummary: 'auto' }),
        },
      }
    case 'openai-compatible':
      return variant === undefined ? {} : { openaiCompatible: effort(variant) }
    case 'anthropic':
      return { anthropic: { cacheControl: { type: 'ephemeral' }, ...anthropicThinking(thinking, variant) } }
    case 'google':
      return thinking === null ? {} : { google: { thinkingConfig: googleThinking(thinking, variant) } }
  }
}

function effort(variant: string | undefined): Options {
  return variant === undefined ? {} : { reasoningEffort: variant }
}

function anthropicThinking(thinking: Thinking | null, variant: string | undefined): Options {
  if (thinking?.style === 'adaptive' && variant === 'none') return { thinking: { type: 'disabled' } }
  if (thinking?.style === 'adaptive' && (thinking.unasked || variant !== undefined))
    return {
      thinking: { type: 'adaptive', display: 'summarized' },
      ...(variant !== undefined && { effort: variant }),
    }
  if (thinking?.style === 'budget' && variant !== undefined)
    return { thinking: { type: 'enabled', budgetTokens: budget(variant) } }
  return {}
}

function googleThinking(thinking: Thinking, variant: string | undefined): Options {
  if (variant === undefined) return { includeThoughts: true }
  if (thinking.style === 'level') return { includeThoughts: true, thinkingLevel: variant }
  return { includeThoughts: variant !== 'none', thinkingBudget: budget(variant) }
}

/** No variant, no budget: `none` is the only one that has none. */
function budget(variant: string): number {
  if (variant === 'none') return 0
  const levels: Readonly<Record<string, number>> = THINKING_BUDGETS
  return levels[variant] ?? THINKING_BUDGETS.medium
}
